import { Module, type DynamicModule } from '@nestjs/common';
import { DatabaseModule } from '@animal-store/persistence';
import { ApiKeysPersistenceModule } from '@animal-store/persistence/api-keys';
import type { Environment } from '../environment.js';

/** A command uses one connection: it does one thing at a time. */
const CONNECTIONS = 1;

/** The parts of the service that the commands need: the keys, and no HTTP. */
@Module({})
export class KeyAdministrationModule {
  static async forRoot({ DATABASE_URL, DATA_DIR }: Environment): Promise<DynamicModule> {
    const settings = { url: DATABASE_URL, dataDir: DATA_DIR, poolSize: CONNECTIONS, preparedStatements: false };
    return {
      module: KeyAdministrationModule,
      imports: [await DatabaseModule.forRoot(settings), ApiKeysPersistenceModule],
    };
  }
}
