import { Module } from '@nestjs/common';
import { DatabaseHealth } from '@animal-store/persistence';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';

@Module({
  controllers: [HealthController],
  providers: [
    { provide: Readiness, useFactory: (health: DatabaseHealth) => new Readiness(health), inject: [DatabaseHealth] },
  ],
})
export class HealthModule {}
