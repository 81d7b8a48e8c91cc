import { DriverException } from '@mikro-orm/core';
import { rootCauseMessage } from '@animal-store/kernel';

/**
 * Signs that the server is at fault and not the statement: the beginnings of SQLSTATEs (PostgreSQL, appendix A), of Node's
 * codes for sockets and TLS, and of messages of `pg` that have no code. The first match decides. 080 connection, 28 and 3D000
 * no such user or database, 55000 not accepting connections, 57P shutdown, 25006 read-only, as during a fail-over; as `other`
 * 53 further resources, 25P03 idle in transaction, 42P01 a table that a pending migration will create.
 */
const REASONS = {
  lock_timeout: ['55P03'],
  statement_timeout: ['57014', 'Query read timeout'],
  disk_full: ['53100'],
  too_many_connections: ['53300'],
  read_only: ['25006'],
  other: ['53', '25P03', '42P01'],
  connection: [
    ...'080 28 3D000 57P 55000'.split(' '),
    ...'ECONN EPIPE EPROTO ETIMEDOUT EHOSTUNREACH ENETUNREACH'.split(' '),
    ...'ERR_SSL_ ERR_TLS_ CERT_ CRL_ DEPTH_ZERO_ SELF_SIGNED_ UNABLE_TO_ HOSTNAME_MISMATCH'.split(' '),
    ...['INVALID_CA', 'INVALID_PURPOSE', 'The server does not support SSL', 'There was an error establishing an SSL'],
    ...['Connection terminated', 'Client has encountered', 'Client was closed', 'Cannot use a pool after'],
    ...['timeout exceeded when trying to connect', 'timeout expired'],
  ],
};

/** Why the database is unavailable: the problem that an operator would fix. */
export type DatabaseErrorReason = keyof typeof REASONS;

const ENTRIES = Object.entries(REASONS) as [DatabaseErrorReason, readonly string[]][];

/** Zero for every reason, so that metrics have all of them from the start. */
export const NO_ERRORS = Object.fromEntries(ENTRIES.map(([reason]) => [reason, 0])) as Record<
  DatabaseErrorReason,
  number
>;

/**
 * The system calls that make a connection. Whatever the code of such an error, there is no connection: no descriptor is left
 * (EMFILE, ENFILE), no local port (EADDRNOTAVAIL), or no Unix socket (ENOENT).
 */
const CONNECTING: readonly unknown[] = ['connect', 'getaddrinfo'];

/** Why the database is unavailable; `undefined` for other errors, such as that of a wrong statement. */
export function databaseErrorReason(error: unknown): DatabaseErrorReason | undefined {
  // MikroORM, `pg` and sockets have errors of these classes. One of another class is of another client, as of `fetch`.
  const isOfDriver =
    error instanceof DriverException || (error instanceof Error && /^(?:Aggregate)?Error$/i.test(error.name));
  if (!isOfDriver) return undefined;
  if (CONNECTING.includes((error as NodeJS.ErrnoException).syscall)) return 'connection';
  const sign = errorCode(error) ?? error.message;
  const found = ENTRIES.find(([, beginnings]) => beginnings.some((beginning) => sign.startsWith(beginning)));
  if (found !== undefined) return found[0];
  const reasons = causesOf(error).map(databaseErrorReason);
  return reasons.find((reason) => reason !== undefined);
}

/** An error of a connection has one cause for each address of the host. */
function causesOf(error: Error): readonly unknown[] {
  return error instanceof AggregateError ? error.errors : [error.cause];
}

/** Whether an error shows that the server is at fault, and not the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return databaseErrorReason(error) !== undefined;
}

/** A connection that ends during a statement. The "terminated due to connection timeout" of the pool comes before one. */
const LOST =
  /^(?:080(?!01)|57P0[123]|ECONNRESET|EPIPE|ETIMEDOUT|Connection terminated(?!.*timeout)|Client has encountered|Query read timeout)/;

/** Whether a connection was lost during a statement that may have been sent: its outcome is unknown. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && LOST.test(errorCode(error) ?? error.message);
}

/** Whether no connection of the pool became free in time. The database was not asked. */
export function isPoolExhausted(error: unknown): boolean {
  return rootCauseMessage(error) === 'timeout exceeded when trying to connect';
}

/** The number of attempts of a transaction that fails only because of concurrent ones. */
export const MAX_ATTEMPTS = 5;

/** Whether a transaction failed by a serialization failure or a deadlock. It had no effect, and may be repeated at once. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ['40001', '40P01'].includes(errorCode(error) ?? '') || isRetryable(error.cause);
}

/** The SQLSTATE of PostgreSQL, or the code that Node gives the error; `undefined` if it has neither. */
export function errorCode(error: Error): string | undefined {
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
