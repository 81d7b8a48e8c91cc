import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { Idempotency, UnitOfWork } from '@animal-store/kernel';
import { DatabaseStats } from '../database-stats.js';
import { SqlExecutor } from '../sql/sql-executor.js';
import { CurrentTransaction } from '../transactions/current-transaction.js';
import { UsedIdempotencyKeyMapping } from './idempotency-key.mapping.js';
import { CLAIM_IDEMPOTENCY_KEY, MikroOrmIdempotency } from './mikro-orm-idempotency.js';
import { IdempotencyKeySweep } from './idempotency-key-sweep.js';

/** The table of the idempotency keys, for all modules whose requests can be repeated. */
@Module({
  imports: [MikroOrmModule.forFeature([UsedIdempotencyKeyMapping])],
  providers: [
    {
      provide: IdempotencyKeySweep,
      useFactory: (executor: SqlExecutor) => new IdempotencyKeySweep(executor),
      inject: [SqlExecutor],
    },
    {
      provide: Idempotency,
      useFactory: (units: UnitOfWork, current: CurrentTransaction, stats: DatabaseStats) => {
        const idempotency = new MikroOrmIdempotency(units, current);
        stats.watchKeys(CLAIM_IDEMPOTENCY_KEY.name, idempotency.keyUses);
        return idempotency;
      },
      inject: [UnitOfWork, CurrentTransaction, DatabaseStats],
    },
  ],
  exports: [Idempotency],
})
export class IdempotencyPersistenceModule {}
