import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiKeyAdministration } from '@animal-store/auth';
import { DatabaseHealth, DatabaseModule } from '@animal-store/persistence';
import { ApiKeysPersistenceModule } from '@animal-store/persistence/api-keys';
import { SecretsPersistenceModule, ServiceSecrets } from '@animal-store/persistence/secrets';
import type { Environment } from '../settings/environment.js';
import { KEY_PREFIX, keyPrefixOf } from '../keys/key-prefix.js';

/** A command uses one connection: it does one thing at a time. */
const CONNECTIONS = 1;

/** The parts of the service that the commands need: the keys, and no HTTP. */
@Module({})
class KeyAdministrationModule {
  static async forRoot({ DATABASE_URL, DATA_DIR }: Environment): Promise<DynamicModule> {
    const settings = { url: DATABASE_URL, dataDir: DATA_DIR, poolSize: CONNECTIONS, preparedStatements: false };
    return {
      module: KeyAdministrationModule,
      imports: [await DatabaseModule.forRoot(settings), ApiKeysPersistenceModule, SecretsPersistenceModule],
    };
  }
}

/**
 * Runs `work` on the keys of the database, and closes the database afterwards. Fails if a migration is pending.
 *
 * @param work also gets the prefix of new keys: `API_KEY_PREFIX`, or that of the service on this database, because a
 *   shell has often other settings than the service
 */
export async function administerApiKeys<Result>(
  environment: Environment,
  work: (keys: ApiKeyAdministration, prefix: string) => Promise<Result>,
): Promise<Result> {
  const module = await KeyAdministrationModule.forRoot(environment);
  const context: INestApplicationContext = await NestFactory.createApplicationContext(module, {
    logger: false,
    abortOnError: false,
  });
  try {
    await context.get(DatabaseHealth, { strict: false }).ask();
    const stored = await context.get(ServiceSecrets, { strict: false }).find(KEY_PREFIX);
    const prefix = environment.API_KEY_PREFIX ?? stored ?? keyPrefixOf(environment);
    return await work(context.get(ApiKeyAdministration, { strict: false }), prefix);
  } finally {
    await context.close();
  }
}
