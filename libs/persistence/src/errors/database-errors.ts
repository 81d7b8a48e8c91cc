/** Why the database could not carry out a statement: the problem that an operator would fix. */
export type DatabaseErrorReason =
  'connection' | 'disk_full' | 'lock_timeout' | 'other' | 'read_only' | 'statement_timeout' | 'too_many_connections';

/**
 * SQLSTATE classes and codes of errors whose cause is the server and not the statement (PostgreSQL, appendix A): 25006 read-only
 * (during a fail-over), 08 connection, 57P shutdown, 28 and 3D000 no such user or database, 55000 not accepting connections. The
 * last entry: 53 other resources, 25P03 idle in transaction, 42P01 a table that a pending migration will create.
 */
const UNAVAILABLE_SQLSTATES: readonly (readonly [RegExp, DatabaseErrorReason])[] = [
  [/^55P03/, 'lock_timeout'],
  [/^57014/, 'statement_timeout'],
  [/^53100/, 'disk_full'],
  [/^53300/, 'too_many_connections'],
  [/^25006/, 'read_only'],
  [/^(?:08(?!P01)|28|3D000|57P|55000)/, 'connection'],
  [/^(?:53|25P03|42P01)/, 'other'],
];

/** The error codes of Node if there is no connection. */
const UNAVAILABLE_ERRNO = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)/;

/**
 * The error codes of Node if TLS fails: the server's certificate is not trusted ("X509 certificate error codes"), the server does
 * not trust the client's certificate, or there is no TLS. It is another server, or one that an operator must fix.
 */
const UNAVAILABLE_TLS =
  /^(?:ERR_(?:SSL|TLS)_|EPROTO|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE))/;

const UNAVAILABLE_CODES = [
  ...UNAVAILABLE_SQLSTATES,
  [UNAVAILABLE_ERRNO, 'connection'],
  [UNAVAILABLE_TLS, 'connection'],
] as const;

/** The message of the pool of `pg` if no connection became free in time. */
const POOL_EXHAUSTED = 'timeout exceeded when trying to connect';

/**
 * The messages of `pg` and its pool if there is no connection or no answer: these errors have no code. The others of this kind,
 * from the server, PgBouncer or the operating system, have one.
 */
const UNAVAILABLE_MESSAGES = [
  [/^Query read timeout/, 'statement_timeout'],
  [
    /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (?:has encountered|was closed)|Cannot use a pool after|The server does not support SSL|There was an error establishing an SSL)/,
    'connection',
  ],
] as const;

/** Why the database is unavailable; `undefined` for other errors, such as that of a wrong statement. */
function databaseErrorReason(error: unknown): DatabaseErrorReason | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof AggregateError)
    return error.errors.map(databaseErrorReason).find((reason) => reason !== undefined);
  if (isOfPooler(error)) return 'connection';
  const code = errorCode(error);
  const reason =
    code === undefined ? meaningOf(error.message, UNAVAILABLE_MESSAGES) : meaningOf(code, UNAVAILABLE_CODES);
  return reason ?? databaseErrorReason(error.cause);
}

function meaningOf(
  text: string,
  meanings: readonly (readonly [RegExp, DatabaseErrorReason])[],
): DatabaseErrorReason | undefined {
  return meanings.find(([pattern]) => pattern.test(text))?.[1];
}

/**
 * Whether PgBouncer itself sent the error, as when its logins fail or it has no connection left. It has one code for nearly all
 * of them, 08P01 (protocol_violation). PostgreSQL has it too, for a text that it cannot read, but names the routine that found
 * it.
 */
function isOfPooler(error: Error): boolean {
  return errorCode(error) === '08P01' && (error as { readonly routine?: unknown }).routine === undefined;
}

/** Whether the cause of the error is that the database is unavailable. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return databaseErrorReason(error) !== undefined;
}

/**
 * The errors of a connection that ends during a statement. Errors before the statement was sent are not among them, such as the
 * pool's "terminated due to connection timeout". Those of PgBouncer are, because it does not say whether it sent the statement.
 */
const LOST_SQLSTATE = /^(?:08(?!P01|001)|57P0[123])/;
const LOST_ERRNO = /^(?:ECONNRESET|EPIPE|ETIMEDOUT)/;
const LOST_MESSAGE =
  /^(?:Connection terminated(?!.*timeout)|Client has encountered a connection error|Query read timeout)/;

/** Whether the connection was lost during a statement, so that the outcome of the statement is unknown. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isOfPooler(error)) return true;
  const code = errorCode(error);
  if (code !== undefined && (LOST_SQLSTATE.test(code) || LOST_ERRNO.test(code))) return true;
  return LOST_MESSAGE.test(error.message);
}

/** Whether no connection of the pool became free in time. The database was not asked. */
export function isPoolExhausted(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message === POOL_EXHAUSTED || isPoolExhausted(error.cause);
}

/** A serialization failure or a deadlock. The transaction had no effect, and may succeed if it is repeated at once. */
const RETRYABLE_SQLSTATE = /^40(?:001|P01)$/;

/** The number of attempts of a transaction that fails only because of concurrent ones. */
export const MAX_ATTEMPTS = 5;

/** Whether a transaction failed only because of concurrent ones, by a serialization failure or a deadlock. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return RETRYABLE_SQLSTATE.test(errorCode(error) ?? '') || isRetryable(error.cause);
}

/** The code of an error: the SQLSTATE of PostgreSQL, or the name that Node gives it; `undefined` if it has none. */
export function errorCode(error: Error): string | undefined {
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The message of the innermost cause. An error for several addresses of a host has no message, so its first error is taken. */
export function rootCauseMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return rootCauseMessage(error.cause);
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return rootCauseMessage(error.errors[0]);
  return error.message;
}

/** Counts the errors of the database since the start of the process, by reason. */
export class DatabaseErrorCounts {
  private readonly numbers: Record<DatabaseErrorReason, number> = {
    connection: 0,
    disk_full: 0,
    lock_timeout: 0,
    other: 0,
    read_only: 0,
    statement_timeout: 0,
    too_many_connections: 0,
  };
  private readonly seen = new WeakSet<object>();

  /** The counts of all reasons, also those that are 0. */
  get all(): Readonly<Record<DatabaseErrorReason, number>> {
    return this.numbers;
  }

  /** Counts an error once, even if several layers report it. Errors that do not concern the server are not counted. */
  add(error: unknown): void {
    const reason = databaseErrorReason(error);
    if (reason === undefined || this.seen.has(error as Error)) return;
    this.seen.add(error as Error);
    this.numbers[reason] += 1;
  }
}
