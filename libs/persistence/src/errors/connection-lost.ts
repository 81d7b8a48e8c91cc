import { errorCode } from './error-code.js';

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
  const code = errorCode(error);
  if (code !== undefined && (LOST_SQLSTATE.test(code) || LOST_ERRNO.test(code))) return true;
  return LOST_MESSAGE.test(error.message);
}
