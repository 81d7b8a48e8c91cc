export type { Cancellation } from './cancellation.js';
export { IDEMPOTENCY_KEY_HOURS, type IdempotencyKey, IdempotencyKeyReusedError } from './idempotency-key.js';
export type { ErrorKind } from './error-kind.js';
export { InMemoryState, InMemoryUnitOfWork } from './in-memory-unit-of-work.js';
export { INT64_MAX, INT64_MIN, isInt64, parseInt64 } from './int64.js';
export type { PageQuery } from './page.js';
export { Serialized, SerializedPage } from './serialized.js';
export { OutsideUnitOfWorkError, UnitOfWork } from './unit-of-work.js';
