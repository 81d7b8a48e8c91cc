import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { Statements } from '../statements.js';
import { UsedIdempotencyKeyMapping } from './idempotency-key.mapping.js';
import { IdempotencyKeySweep } from './idempotency-key-sweep.js';

/** The table of the idempotency keys, for every module whose statements write to it. */
@Module({
  imports: [MikroOrmModule.forFeature([UsedIdempotencyKeyMapping])],
  providers: [
    {
      provide: IdempotencyKeySweep,
      useFactory: (statements: Statements) => new IdempotencyKeySweep(statements),
      inject: [Statements],
    },
  ],
})
export class IdempotencyPersistenceModule {}
