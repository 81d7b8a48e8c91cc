import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { ApiKeyAdministration, ApiKeys } from '@animal-store/auth';
import { UnitOfWork } from '@animal-store/kernel';
import { DatabaseStats } from '../database-stats.js';
import { SqlExecutor } from '../sql/sql-executor.js';
import { CurrentTransaction } from '../transactions/current-transaction.js';
import { ApiKeyAuditMapping, ApiKeyMapping } from './api-key.mapping.js';
import { MikroOrmApiKeyAdministration } from './mikro-orm-api-key-administration.js';
import { MikroOrmApiKeys } from './mikro-orm-api-keys.js';

/** Provides the database adapters of the API keys' ports. */
@Module({
  imports: [MikroOrmModule.forFeature([ApiKeyMapping, ApiKeyAuditMapping])],
  providers: [
    {
      provide: ApiKeys,
      useFactory: (units: UnitOfWork, current: CurrentTransaction, executor: SqlExecutor, stats: DatabaseStats) => {
        const keys = new MikroOrmApiKeys(units, current, executor);
        stats.watch(keys.batchers);
        return keys;
      },
      inject: [UnitOfWork, CurrentTransaction, SqlExecutor, DatabaseStats],
    },
    { provide: ApiKeyAdministration, useClass: MikroOrmApiKeyAdministration },
  ],
  exports: [ApiKeys, ApiKeyAdministration],
})
export class ApiKeysPersistenceModule {}
