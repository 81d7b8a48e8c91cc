import { Module } from '@nestjs/common';
import { DatabaseHealth } from '@animal-store/persistence';
import { CURSOR_SECRET, SecretsPersistenceModule, ServiceSecrets } from '@animal-store/persistence/secrets';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';

/** The health endpoints. */
@Module({
  imports: [SecretsPersistenceModule],
  controllers: [HealthController],
  providers: [
    {
      provide: Readiness,
      useFactory: (health: DatabaseHealth, secrets: ServiceSecrets) => {
        // Without it no list can name its next page.
        health.require(() => secrets.get(CURSOR_SECRET));
        return new Readiness(health);
      },
      inject: [DatabaseHealth, ServiceSecrets],
    },
  ],
})
export class HealthModule {}
