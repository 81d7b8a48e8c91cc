import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiKeyAdministration } from '@animal-store/auth';
import { DatabaseHealth, DatabaseModule } from '@animal-store/persistence';
import { ApiKeysPersistenceModule } from '@animal-store/persistence/api-keys';
import type { Environment } from '../environment.js';

/** A command uses one connection: it does one thing at a time. */
const CONNECTIONS = 1;

/** The parts of the service that the commands need: the keys, and no HTTP. */
@Module({})
class KeyAdministrationModule {
  static async forRoot({ DATABASE_URL, DATA_DIR }: Environment): Promise<DynamicModule> {
    const settings = { url: DATABASE_URL, dataDir: DATA_DIR, poolSize: CONNECTIONS, preparedStatements: false };
    return {
      module: KeyAdministrationModule,
      imports: [await DatabaseModule.forRoot(settings), ApiKeysPersistenceModule],
    };
  }
}

/** Runs `work` on the keys of the database, and closes the database afterwards. Fails if a migration is pending. */
export async function administerApiKeys<Result>(
  environment: Environment,
  work: (keys: ApiKeyAdministration) => Promise<Result>,
): Promise<Result> {
  const module = await KeyAdministrationModule.forRoot(environment);
  const context: INestApplicationContext = await NestFactory.createApplicationContext(module, {
    logger: false,
    abortOnError: false,
  });
  try {
    await context.get(DatabaseHealth, { strict: false }).ask();
    return await work(context.get(ApiKeyAdministration, { strict: false }));
  } finally {
    await context.close();
  }
}
