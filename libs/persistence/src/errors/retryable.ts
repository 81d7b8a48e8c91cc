import { errorCode } from './error-code.js';

/** A serialization failure or a deadlock. The transaction had no effect, and may succeed if it is repeated at once. */
const RETRYABLE_SQLSTATE = /^40(?:001|P01)$/;

/** Whether a transaction failed only because of concurrent ones, by a serialization failure or a deadlock. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return RETRYABLE_SQLSTATE.test(errorCode(error) ?? '') || isRetryable(error.cause);
}
