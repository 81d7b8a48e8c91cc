import { OptimisticLockError } from '@mikro-orm/core';
import type { ErrorKind, KnownError } from '@animal-store/kernel';
import { errorCode, isConnectionLost, isDatabaseUnavailable, isPoolExhausted, isRetryable } from './database-errors.js';

/** The same request may succeed later. */
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
      'The connection to the database was lost while the request was carried out, which may or may not have taken effect: ' +
        'send it again only with its Idempotency-Key',
      { cause },
    );
  }
}

/** Too many calls wait for the database, or this call waited too long. It had no effect, and the database was not asked. */
export class OverloadedError extends UnavailableError {
  constructor(cause?: unknown) {
    super('The service is overloaded at the moment: try again later', { cause });
  }
}

/** Runs the work of a repository. @throws what {@link asUnavailable} makes of its error */
export async function onDatabase<Result>(work: () => Promise<Result>, writes = false): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asUnavailable(error, writes);
  }
}

/**
 * The error for callers if the database is unavailable, or concurrent transactions were in the way too often. All other errors
 * are returned unchanged, including those that already have the kind `unavailable`.
 *
 * @param writes whether the statement writes and commits itself: if its connection was lost, it may have been committed
 */
export function asUnavailable(error: unknown, writes = false): unknown {
  if ((error as { readonly kind?: unknown } | null | undefined)?.kind === 'unavailable') return error;
  if (isPoolExhausted(error)) return new OverloadedError(error);
  if (writes && isConnectionLost(error)) return new UnknownOutcomeError(error);
  return isDatabaseUnavailable(error) || isRetryable(error) ? new DatabaseUnavailableError(error) : error;
}

/** SQLSTATEs: too long, out of range, no such date, no such character, null, check. Others of class 23 contradict rows. */
const INVALID = /^(?:22001|22003|22007|22008|22021|23502|23514)$/;

/**
 * The name of the constraint whose violation is the cause of the error: unique, foreign key, exclusion or check. A not-null
 * constraint is named by its column, as `vets.name`. So a repository makes an error of its domain:
 *
 *     if (violatedConstraint(error) === 'bookings_time_excl') throw new SlotTakenError();
 *
 * @returns `undefined` for any other error
 */
export function violatedConstraint(error: unknown): string | undefined {
  const { constraint, table, column } = (violationIn(error) ?? {}) as Record<string, string | undefined>;
  return constraint ?? (column === undefined ? undefined : `${table}.${column}`);
}

/** The error for callers in the place of one that came from the database or from MikroORM. Other errors are not changed. */
export function translateDatabaseError(error: unknown): unknown {
  const violation = violationIn(error);
  if (error instanceof OptimisticLockError)
    return refused(error, 'conflict', 'conflict', 'It was changed in the meantime: read it again and retry');
  if (violation === undefined) return asUnavailable(error);
  return INVALID.test(errorCode(violation) ?? '')
    ? refused(error, 'invalid', 'invalid_request', 'A value cannot be stored, or one that is needed is missing')
    : refused(error, 'conflict', 'conflict', 'The request conflicts with existing data');
}

/** The database refused a value or a change, and no repository made an error of the domain of it. */
function refused(cause: unknown, kind: ErrorKind, code: string, message: string): KnownError {
  return Object.assign(new Error(message, { cause }), { kind, code });
}

/** The error or the cause of it that says what the database refused. */
function violationIn(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = errorCode(error) ?? '';
  return code.startsWith('23') || INVALID.test(code) ? error : violationIn(error.cause);
}
