import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { ApiKeyAdministration, ApiKeys } from '@animal-store/auth';
import { UnitOfWork } from '@animal-store/kernel';
import { KEY_LOOKUP_LIMITS, KEY_REFRESH_LIMITS } from '../batching/batching-limits.js';
import { DatabaseStats } from '../database.stats.js';
import { LookupConnections } from '../connections/lookup-connections.js';
import { SqlExecutor } from '../sql/sql-executor.js';
import { CurrentTransaction } from '../transactions/current-transaction.js';
import { ApiKeyAuditMapping, ApiKeyMapping } from './api-key.mapping.js';
import { ApiKeyChanges, MikroOrmApiKeyAdministration } from './mikro-orm-api-key-administration.js';
import { FIND_API_KEYS, REFRESH_API_KEYS, BatchedApiKeyLookups } from './api-key-lookups.js';
import { MikroOrmApiKeys } from './mikro-orm-api-keys.js';

/** Provides the database adapters of the API keys' ports. */
@Module({
  imports: [MikroOrmModule.forFeature([ApiKeyMapping, ApiKeyAuditMapping])],
  providers: [
    {
      provide: ApiKeyChanges,
      useFactory: (unitOfWork: UnitOfWork, current: CurrentTransaction) => new ApiKeyChanges(unitOfWork, current),
      inject: [UnitOfWork, CurrentTransaction],
    },
    {
      provide: ApiKeys,
      useFactory: (
        changes: ApiKeyChanges,
        main: SqlExecutor,
        { executor }: LookupConnections,
        stats: DatabaseStats,
      ) => {
        const lookups = new BatchedApiKeyLookups(executor, FIND_API_KEYS, KEY_LOOKUP_LIMITS);
        const refreshes = new BatchedApiKeyLookups(executor, REFRESH_API_KEYS, KEY_REFRESH_LIMITS);
        stats.watch({ ...lookups.batchers, ...refreshes.batchers });
        return new MikroOrmApiKeys(changes, main, executor, lookups, refreshes);
      },
      inject: [ApiKeyChanges, SqlExecutor, LookupConnections, DatabaseStats],
    },
    {
      provide: ApiKeyAdministration,
      useFactory: (changes: ApiKeyChanges, current: CurrentTransaction) =>
        new MikroOrmApiKeyAdministration(changes, current),
      inject: [ApiKeyChanges, CurrentTransaction],
    },
  ],
  exports: [ApiKeys, ApiKeyAdministration],
})
export class ApiKeysPersistenceModule {}
