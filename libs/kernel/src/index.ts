export {
  IDEMPOTENCY_KEY_HOURS,
  Idempotency,
  IdempotencyKeyReusedError,
  type AddOnceResult,
  type IdempotencyKey,
  type Outcome,
} from './idempotency.js';
export { rootCauseMessage, type ErrorKind, type KnownError } from './error-kind.js';
export { INT64_MAX, INT64_MIN, isInt64, parseInt64 } from './int64.js';
export { SerializedPage, type PageQuery } from './page.js';
export { OutsideUnitOfWorkError, UnitOfWork } from './unit-of-work.js';
