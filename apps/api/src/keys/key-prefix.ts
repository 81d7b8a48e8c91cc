import { Module, type DynamicModule } from '@nestjs/common';
import { DatabaseHealth } from '@animal-store/persistence';
import { SecretsPersistenceModule, ServiceSecrets } from '@animal-store/persistence/secrets';
import type { Environment } from '../settings/environment.js';

/** The name under which the service stores the prefix of its keys in the database, for the commands of `keys`. */
export const KEY_PREFIX = 'api-key-prefix';

const PREFIXES = { production: 'aslive', test: 'astest', development: 'asdev' };

/** The prefix of the keys of this environment. It shows people where a key belongs. */
export function keyPrefixOf({ API_KEY_PREFIX, NODE_ENV }: Pick<Environment, 'API_KEY_PREFIX' | 'NODE_ENV'>): string {
  return API_KEY_PREFIX ?? PREFIXES[NODE_ENV];
}

/** Stores the prefix of this environment as soon as the database is ready. */
@Module({})
export class KeyPrefixModule {
  static forRoot(prefix: string): DynamicModule {
    return {
      module: KeyPrefixModule,
      imports: [SecretsPersistenceModule],
      providers: [
        {
          provide: KEY_PREFIX,
          useFactory: (health: DatabaseHealth, secrets: ServiceSecrets) => {
            // Only the commands of `keys` need it, so the service is ready without it, for example on a read-only database.
            health.require(() => secrets.put(KEY_PREFIX, prefix).catch(() => undefined));
            return prefix;
          },
          inject: [DatabaseHealth, ServiceSecrets],
        },
      ],
    };
  }
}
