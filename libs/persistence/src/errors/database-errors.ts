import { isDatabaseUnavailable } from './database-error-reason.js';

/** The database cannot be reached, or cannot work at the moment. The same request may succeed later. */
export class DatabaseUnavailableError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor(cause: unknown) {
    super('The database is not available at the moment: try again later', { cause });
  }
}

/** The connection was lost during a write. The write may or may not have been committed. It is never repeated here. */
export class UnknownOutcomeError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor(cause: unknown) {
    super('The database went away while the request was carried out: it may or may not have taken effect', { cause });
  }
}

/**
 * The errors of a connection that ends during a statement. Errors before the statement was sent are not among them, such as the
 * pool's "terminated due to connection timeout".
 */
const LOST_SQLSTATE = /^(?:08(?!P01|001)|57P0[123])/;
const LOST_ERRNO = /^(?:ECONNRESET|EPIPE|ETIMEDOUT)/;
const LOST_MESSAGE =
  /connection terminated(?!.*timeout)|connection ended|client has encountered a connection error|query read timeout/i;

/** Whether the connection was lost during a statement, so that the outcome of the statement is unknown. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && (LOST_SQLSTATE.test(code) || LOST_ERRNO.test(code))) return true;
  return LOST_MESSAGE.test(error.message);
}

/** A serialization failure or a deadlock. The transaction had no effect, and may succeed if it is repeated at once. */
const RETRYABLE_SQLSTATE = /^40(?:001|P01)$/;

/** Whether a transaction failed only because of concurrent ones, by a serialization failure or a deadlock. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = 'code' in error ? error.code : undefined;
  return (typeof code === 'string' && RETRYABLE_SQLSTATE.test(code)) || isRetryable(error.cause);
}

/** The kind of statement that was sent. */
interface Sent {
  /** Whether the statement writes and commits itself: if its connection is lost, it may have been committed. */
  readonly writes: boolean;
}

/** The error for callers, if the database is unavailable. */
export function unavailability(error: unknown, { writes }: Sent): DatabaseUnavailableError | UnknownOutcomeError {
  return writes && isConnectionLost(error) ? new UnknownOutcomeError(error) : new DatabaseUnavailableError(error);
}

/**
 * Runs the work of a repository.
 *
 * @throws DatabaseUnavailableError or UnknownOutcomeError in the place of errors with that meaning; other errors are not changed,
 *   also not errors of the kind `unavailable`
 */
export async function onDatabase<Result>(work: () => Promise<Result>, sent?: Sent): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asUnavailable(error, sent);
  }
}

/** As {@link onDatabase}, for a caught error. */
export function asUnavailable(error: unknown, sent: Sent = { writes: false }): unknown {
  const isDatabaseError = isDatabaseUnavailable(error) || isRetryable(error);
  return isDatabaseError && !isUnavailable(error) ? unavailability(error, sent) : error;
}

function isUnavailable(error: unknown): boolean {
  return (error as { readonly kind?: unknown } | null | undefined)?.kind === 'unavailable';
}
