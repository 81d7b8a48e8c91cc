import { EntityManager } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Module } from '@nestjs/common';
import { ApiKeys } from '@animal-store/auth';
import { ApiKeyMapping } from './api-key.mapping.js';
import { MikroOrmApiKeys } from './mikro-orm-api-keys.js';

/** Gives the port of the API keys its adapter in the database. */
@Module({
  imports: [MikroOrmModule.forFeature([ApiKeyMapping])],
  providers: [
    {
      provide: ApiKeys,
      useFactory: (em: SqlEntityManager) => new MikroOrmApiKeys(em),
      inject: [EntityManager],
    },
  ],
  exports: [ApiKeys],
})
export class ApiKeysPersistenceModule {}
