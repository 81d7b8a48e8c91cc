import { isConnectionLost } from './connection-lost.js';
import { isDatabaseUnavailable } from './database-error-reason.js';
import { isRetryable } from './retryable.js';
import { DatabaseUnavailableError, UnknownOutcomeError } from './unavailable.errors.js';

/** The kind of statement that was sent. */
export interface Sent {
  /** Whether the statement writes and commits itself: if its connection is lost, it may have been committed. */
  readonly writes: boolean;
}

/** The error for callers, if the database is unavailable. */
export function unavailability(error: unknown, { writes }: Sent): DatabaseUnavailableError | UnknownOutcomeError {
  return writes && isConnectionLost(error) ? new UnknownOutcomeError(error) : new DatabaseUnavailableError(error);
}

/**
 * The error to throw for a caught one: {@link unavailability} if the database is unavailable or concurrent transactions were in
 * the way. Other errors are not changed, also not errors of the kind `unavailable`.
 */
export function asUnavailable(error: unknown, sent: Sent = { writes: false }): unknown {
  const isDatabaseError = isDatabaseUnavailable(error) || isRetryable(error);
  return isDatabaseError && !isUnavailable(error) ? unavailability(error, sent) : error;
}

function isUnavailable(error: unknown): boolean {
  return (error as { readonly kind?: unknown } | null | undefined)?.kind === 'unavailable';
}
