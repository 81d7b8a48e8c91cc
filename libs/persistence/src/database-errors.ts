/** The database can't be reached, or can't serve right now. The same request may succeed later. */
export class DatabaseUnavailableError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor(cause: unknown) {
    super('The database is not available at the moment: try again later', { cause });
  }
}

/** The connection was lost while a write was under way: it may or may not have been carried out. It is never repeated here. */
export class UnknownOutcomeError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor(cause: unknown) {
    super('The database went away while the request was carried out: it may or may not have taken effect', { cause });
  }
}

/** Why a database that is there, or should be, cannot do what it is asked for: what an operator would mend, by its name. */
export type DatabaseErrorReason =
  'connection' | 'disk_full' | 'lock_timeout' | 'other' | 'read_only' | 'statement_timeout' | 'too_many_connections';

/**
 * SQLSTATE classes and codes that speak of the server and not of the statement (PostgreSQL, appendix A), and what they mean:
 * 25006 read-only (a fail-over is under way), 08 connection, 57P shutdown, 28 and 3D000 no such user or database, 55000 not
 * accepting connections; behind them 53 other resources, 25P03 idle in transaction, 42P01 a table that a pending migration
 * will create.
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

/** What Node says when there is no connection. */
const UNAVAILABLE_ERRNO = /^(?:ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)/;

/**
 * What Node says where TLS comes to nothing: a certificate that is not believed ("X509 certificate error codes"), one of ours
 * that the server does not believe, no TLS at all. The server is not the one that was meant, or will be mended.
 */
const UNAVAILABLE_TLS =
  /^(?:ERR_(?:SSL|TLS)_|EPROTO|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE))/;

const UNAVAILABLE_CODES = [
  ...UNAVAILABLE_SQLSTATES,
  [UNAVAILABLE_ERRNO, 'connection'],
  [UNAVAILABLE_TLS, 'connection'],
] as const;

/** What the `pg` pool says when there is no connection, or no answer; the first and the last message are PgBouncer's. */
const UNAVAILABLE_MESSAGES = [
  [/query read timeout/i, 'statement_timeout'],
  [
    /SSL required|does not support SSL connections|error establishing an SSL connection|connection terminated|timeout exceeded when trying to connect|timeout expired|client (?:has encountered a connection error|was closed)|connection ended|cannot use a pool after|unsupported startup parameter/i,
    'connection',
  ],
] as const;

/** Why the database could not serve; `undefined` for an error that says something else, as that the statement is wrong. */
export function databaseErrorReason(error: unknown): DatabaseErrorReason | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof AggregateError)
    return error.errors.map(databaseErrorReason).find((reason) => reason !== undefined);
  const code: unknown = 'code' in error ? error.code : undefined;
  return (
    (typeof code === 'string' ? meaningOf(code, UNAVAILABLE_CODES) : undefined) ??
    meaningOf(error.message, UNAVAILABLE_MESSAGES) ??
    databaseErrorReason(error.cause)
  );
}

function meaningOf(
  text: string,
  meanings: readonly (readonly [RegExp, DatabaseErrorReason])[],
): DatabaseErrorReason | undefined {
  return meanings.find(([pattern]) => pattern.test(text))?.[1];
}

/** Whether the error says that the database is away, rather than that the statement is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return databaseErrorReason(error) !== undefined;
}

/**
 * What is said when a connection ends with a statement under way; before one, the statement was never sent, nor where the
 * pool gave up waiting for a connection ("terminated due to connection timeout").
 */
const LOST_SQLSTATE = /^(?:08(?!P01|001)|57P0[123])/;
const LOST_ERRNO = /^(?:ECONNRESET|EPIPE|ETIMEDOUT)/;
const LOST_MESSAGE =
  /connection terminated(?!.*timeout)|connection ended|client has encountered a connection error|query read timeout/i;

/** Whether the connection was lost, so that a statement under way may or may not have been carried out. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && (LOST_SQLSTATE.test(code) || LOST_ERRNO.test(code))) return true;
  return LOST_MESSAGE.test(error.message);
}

/** What PostgreSQL says where concurrent transactions have no order: nothing was done, and the same may succeed at once. */
const RETRYABLE_SQLSTATE = /^40(?:001|P01)$/;

/** Whether a transaction failed against concurrent ones alone: a serialization failure, or a deadlock that it was to end. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = 'code' in error ? error.code : undefined;
  return (typeof code === 'string' && RETRYABLE_SQLSTATE.test(code)) || isRetryable(error.cause);
}

/** What was sent to the database. */
interface Sent {
  /** A statement that writes, and is a transaction by itself: where its connection is lost, it may have been carried out. */
  readonly writes: boolean;
}

/** What is told of an error that says that the database is away. */
export function unavailability(error: unknown, { writes }: Sent): DatabaseUnavailableError | UnknownOutcomeError {
  return writes && isConnectionLost(error) ? new UnknownOutcomeError(error) : new DatabaseUnavailableError(error);
}

/**
 * Runs the work of a repository.
 *
 * @throws DatabaseUnavailableError, or UnknownOutcomeError, in the place of every error that means so; others pass unchanged, also what says already
 * in other words that the database is away
 */
export async function onDatabase<Result>(work: () => Promise<Result>, sent?: Sent): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asUnavailable(error, sent);
  }
}

/** The same for an error that was caught. */
export function asUnavailable(error: unknown, sent: Sent = { writes: false }): unknown {
  const isUnavailable = isDatabaseUnavailable(error) || isRetryable(error);
  return isUnavailable && !isTold(error) ? unavailability(error, sent) : error;
}

function isTold(error: unknown): boolean {
  return (error as { readonly kind?: unknown } | null | undefined)?.kind === 'unavailable';
}
