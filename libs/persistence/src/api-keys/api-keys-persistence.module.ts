import { EntityManager } from '@mikro-orm/core';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Module } from '@nestjs/common';
import { ApiKeyAdministration, ApiKeys } from '@animal-store/auth';
import { Statements } from '../statements.js';
import { ApiKeyAuditMapping } from './api-key-audit.mapping.js';
import { ApiKeyMapping } from './api-key.mapping.js';
import { MikroOrmApiKeyAdministration } from './mikro-orm-api-key-administration.js';
import { MikroOrmApiKeys } from './mikro-orm-api-keys.js';

/** Gives the ports of the API keys their adapters in the database. */
@Module({
  imports: [MikroOrmModule.forFeature([ApiKeyMapping, ApiKeyAuditMapping])],
  providers: [
    {
      provide: ApiKeys,
      useFactory: (em: SqlEntityManager, statements: Statements) => new MikroOrmApiKeys(em, statements),
      inject: [EntityManager, Statements],
    },
    {
      provide: ApiKeyAdministration,
      useFactory: (em: SqlEntityManager) => new MikroOrmApiKeyAdministration(em),
      inject: [EntityManager],
    },
  ],
  exports: [ApiKeys, ApiKeyAdministration],
})
export class ApiKeysPersistenceModule {}
