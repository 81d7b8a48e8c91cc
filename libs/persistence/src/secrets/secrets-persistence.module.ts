import { EntityManager } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Module } from '@nestjs/common';
import { SecretMapping, ServiceSecrets } from './service-secrets.js';

@Module({
  imports: [MikroOrmModule.forFeature([SecretMapping])],
  providers: [
    { provide: ServiceSecrets, useFactory: (em: SqlEntityManager) => new ServiceSecrets(em), inject: [EntityManager] },
  ],
  exports: [ServiceSecrets],
})
export class SecretsPersistenceModule {}
