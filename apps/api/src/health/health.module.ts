import { Module, type DynamicModule } from '@nestjs/common';
import { DatabaseHealth } from '@animal-store/persistence';
import { CURSOR_SECRET, SecretsPersistenceModule, ServiceSecrets } from '@animal-store/persistence/secrets';
import { KEY_PREFIX } from '../keys/key-prefix.js';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';

/** The health endpoints, and what the service does once, as soon as the database is ready. */
@Module({})
export class HealthModule {
  /** @param keyPrefix the prefix of the API keys of this environment */
  static forRoot(keyPrefix: string): DynamicModule {
    return {
      module: HealthModule,
      imports: [SecretsPersistenceModule],
      controllers: [HealthController],
      providers: [
        {
          provide: Readiness,
          useFactory: (health: DatabaseHealth, secrets: ServiceSecrets) => {
            // Without it no list can name its next page.
            health.require(() => secrets.get(CURSOR_SECRET));
            // Only the commands of `keys` need it, so the service is ready without it, for example on a read-only database.
            health.require(() => secrets.put(KEY_PREFIX, keyPrefix).catch(() => undefined));
            return new Readiness(health);
          },
          inject: [DatabaseHealth, ServiceSecrets],
        },
      ],
    };
  }
}
