import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { Idempotency } from '@animal-store/kernel';
import { IdempotencyKeySweep } from './idempotency-key-sweep.js';
import { MikroOrmIdempotency, UsedIdempotencyKey } from './mikro-orm-idempotency.js';

export { IdempotencyKeySweep };

/** Provides `Idempotency` to the modules whose requests can be repeated. */
@Module({
  imports: [MikroOrmModule.forFeature([UsedIdempotencyKey])],
  providers: [IdempotencyKeySweep, { provide: Idempotency, useClass: MikroOrmIdempotency }],
  exports: [Idempotency],
})
export class IdempotencyPersistenceModule {}
