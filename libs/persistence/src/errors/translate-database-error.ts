import { OptimisticLockError } from '@mikro-orm/core';
import { errorCode } from './database-errors.js';
import { asUnavailable } from './unavailability.js';

/** The kinds of errors for the SQLSTATEs of values that cannot be stored (PostgreSQL, appendix A, classes 22 and 23). */
const VIOLATIONS = new Map<string | undefined, 'invalid' | 'conflict'>([
  ['22001', 'invalid'], // string_data_right_truncation
  ['22003', 'invalid'], // numeric_value_out_of_range
  ['22007', 'invalid'], // invalid_datetime_format
  ['22008', 'invalid'], // datetime_field_overflow
  ['22021', 'invalid'], // character_not_in_repertoire
  ['23502', 'invalid'], // not_null_violation
  ['23514', 'invalid'], // check_violation
  ['23503', 'conflict'], // foreign_key_violation
  ['23505', 'conflict'], // unique_violation
  ['23P01', 'conflict'], // exclusion_violation
]);

/** The database refused a value, by its type or by a constraint, and no repository made an error of the domain of it. */
class ViolatedConstraintError extends Error {
  readonly code: string;
  /** For the log: callers do not learn the names of constraints. */
  readonly logFields: Readonly<Record<string, unknown>>;

  constructor(
    readonly kind: 'invalid' | 'conflict',
    cause: unknown,
  ) {
    super(
      kind === 'conflict'
        ? 'The request contradicts what is stored'
        : 'The request contains a value that cannot be stored, or lacks one that is needed',
      { cause },
    );
    this.code = kind === 'conflict' ? 'conflict' : 'invalid_request';
    this.logFields = { constraint: violatedConstraint(cause) };
  }
}

/** The stored row has another version than the one that was read before (MikroORM, "Optimistic Locking"). */
class StaleVersionError extends Error {
  readonly kind = 'conflict';
  readonly code = 'conflict';
  /** A request that named the version by `If-Match` is answered with 412 (RFC 9110, section 15.5.13). */
  readonly isStale = true;

  constructor(cause: unknown) {
    super('It was changed in the meantime: read it again, and send the request for its new state', { cause });
  }
}

/** The fields of an error of PostgreSQL that name what was violated. */
interface ErrorFields {
  readonly constraint?: string;
  readonly table?: string;
  readonly column?: string;
}

/**
 * The name of the constraint whose violation is the cause of the error: unique, foreign key, exclusion or check. A not-null
 * constraint is named by its column, as `vets.name`. So a repository makes an error of its domain:
 *
 *     if (violatedConstraint(error) === 'bookings_time_excl') throw new SlotTakenError();
 *
 * @returns `undefined` for any other error
 */
export function violatedConstraint(error: unknown): string | undefined {
  const { constraint, table, column } = (violationIn(error) ?? {}) as ErrorFields;
  return constraint ?? (column === undefined ? undefined : `${table}.${column}`);
}

/**
 * The error for callers in the place of one that came from the database: of the kind `unavailable` if it is not available,
 * `conflict` or `invalid` if it refused a value, `conflict` for an `OptimisticLockError` of MikroORM. Other errors are not
 * changed.
 */
export function translateDatabaseError(error: unknown): unknown {
  if (error instanceof OptimisticLockError) return new StaleVersionError(error);
  const violation = violationIn(error);
  const kind = violation && VIOLATIONS.get(errorCode(violation));
  return kind === undefined ? asUnavailable(error) : new ViolatedConstraintError(kind, error);
}

/** The error itself, or the one among its causes, that says what the database refused. */
function violationIn(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  return VIOLATIONS.has(errorCode(error)) ? error : violationIn(error.cause);
}
