import type { IncomingMessage } from 'node:http';
import type { Exchange } from '../server/exchange.js';

/** The rest of a body up to this size, in bytes, is read and dropped, and the connection stays open. */
const KEEP_ALIVE_UP_TO = 64 * 1024;

/**
 * Whether the connection must end with the response that begins now, because the client may go on to send a body that
 * nobody reads. A short body is read and dropped instead.
 */
export function leavesBodyUnread(request: IncomingMessage, { isBodyRefused }: Exchange): boolean {
  if (request.complete) return false;
  if (isBodyRefused) return true;
  // A handler may respond while it reads.
  if (request.readableFlowing === true) return false;
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > KEEP_ALIVE_UP_TO;
}
