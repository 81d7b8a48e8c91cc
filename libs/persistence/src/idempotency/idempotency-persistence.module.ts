import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { Idempotency, UnitOfWork } from '@animal-store/kernel';
import { SqlExecutor } from '../sql/sql-executor.js';
import { CurrentTransaction } from '../transactions/current-transaction.js';
import { UsedIdempotencyKeyMapping } from './idempotency-key.mapping.js';
import { MikroOrmIdempotency } from './mikro-orm-idempotency.js';
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
      useFactory: (units: UnitOfWork, current: CurrentTransaction) => new MikroOrmIdempotency(units, current),
      inject: [UnitOfWork, CurrentTransaction],
    },
  ],
  exports: [Idempotency],
})
export class IdempotencyPersistenceModule {}
