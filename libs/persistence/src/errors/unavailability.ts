import { isConnectionLost, isDatabaseUnavailable, isPoolExhausted, isRetryable } from './database-errors.js';

/** What cannot be done at the moment. The same request may succeed later. */
export abstract class UnavailableError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';
}

/** The database cannot be reached, or cannot work at the moment. */
export class DatabaseUnavailableError extends UnavailableError {
  constructor(cause: unknown) {
    super('The database is not available at the moment: try again later', { cause });
  }
}

/** The connection was lost during a write. The write may or may not have been committed. It is never repeated here. */
export class UnknownOutcomeError extends UnavailableError {
  constructor(cause: unknown) {
    super(
      'The database went away while the request was carried out, which may or may not have taken effect: ' +
        'send it again only with its Idempotency-Key',
      { cause },
    );
  }
}

/** Too many calls wait for the database, or this call waited too long. It had no effect, and the database was not asked. */
export class OverloadedError extends UnavailableError {
  readonly isOverload = true;

  constructor(cause?: unknown) {
    super('The service is overloaded at the moment: try again later', { cause });
  }
}

/** The kind of statement that was sent. */
interface Sent {
  /** Whether the statement writes and commits itself: if its connection is lost, it may have been committed. */
  readonly writes: boolean;
}

/**
 * Runs the work of a repository.
 *
 * @throws DatabaseUnavailableError or UnknownOutcomeError in the place of errors with that meaning; all other errors unchanged,
 *   including those that already have the kind `unavailable`
 */
export async function onDatabase<Result>(work: () => Promise<Result>, sent?: Sent): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asUnavailable(error, sent);
  }
}

/**
 * The error to throw for a caught one: {@link unavailability} if the database is unavailable or concurrent transactions were in
 * the way. All other errors are returned unchanged, including those that already have the kind `unavailable`.
 */
export function asUnavailable(error: unknown, sent: Sent = { writes: false }): unknown {
  const isDatabaseError = isDatabaseUnavailable(error) || isRetryable(error);
  return isDatabaseError && !isUnavailable(error) ? unavailability(error, sent) : error;
}

function isUnavailable(error: unknown): boolean {
  return (error as { readonly kind?: unknown } | null | undefined)?.kind === 'unavailable';
}

/** The error for callers, if the database is unavailable. */
export function unavailability(error: unknown, { writes }: Sent): UnavailableError {
  if (isPoolExhausted(error)) return new OverloadedError(error);
  return writes && isConnectionLost(error) ? new UnknownOutcomeError(error) : new DatabaseUnavailableError(error);
}
