export { IdempotencyKeySweep } from './idempotency-key-sweep.js';
export { IdempotencyPersistenceModule } from './idempotency-persistence.module.js';
