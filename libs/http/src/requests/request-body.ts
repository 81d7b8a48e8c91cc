import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '../errors/request.errors.js';
import type { BodyLimits } from './body-limits.js';
import { collectBody } from './collect-body.js';
import { isSupportedCoding } from './inflate.js';

/** Whether the request announces a body (RFC 9112, section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * The rest of a body up to this size, in bytes, is read and dropped, and the connection stays open. A larger one ends
 * the connection.
 */
const KEEP_ALIVE_UP_TO = 64 * 1024;

const expectingContinue = new WeakSet<IncomingMessage>();

/** Records that the client waits for `100 Continue` before it sends the body (RFC 9110, section 10.1.1). */
export function bodyAwaitsContinue(request: IncomingMessage): void {
  expectingContinue.add(request);
}

/** Sends `100 Continue` if the client waits for it. */
export function sendContinue(request: IncomingMessage, response: ServerResponse): void {
  if (expectingContinue.delete(request)) response.writeContinue();
}

/**
 * Whether the connection must end with this response, because the client may continue to send a body that is not read.
 * A short body is read and dropped instead, and the connection stays open.
 */
export function leavesBodyUnread(request: IncomingMessage): boolean {
  if (request.complete) return false;
  if (expectingContinue.has(request) || request.headers['transfer-encoding'] !== undefined) return true;
  const length = request.headers['content-length'];
  return length !== undefined && Number(length) > KEEP_ALIVE_UP_TO;
}

/**
 * Reads and decompresses a body. Reading stops at the limit, even if the announced size is smaller; the rest stays
 * unread.
 *
 * @param start called before the body is read; not called for a body that is refused by its headers
 * @throws RequestError immediately if the headers are wrong, otherwise as a rejection
 * @throws BodiesTooLargeError as a rejection, if all bodies together are too large
 */
export function readBody(request: IncomingMessage, limits: BodyLimits, start: () => void): Promise<Buffer> {
  const { limit, inflater } = limits;
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) throw RequestError.payloadTooLarge(limit);
  if (coding !== 'identity' && !isSupportedCoding(coding)) throw RequestError.unsupportedEncoding();
  start();
  // Most bodies arrive together with the header. Node calls the handler while it still parses those bytes, and has
  // parsed all of them one promise later. Such a body does not wait for the events of a stream.
  const sent = Promise.resolve().then(() => {
    const isWhole = request.complete || (announced > 0 && request.readableLength === announced);
    return isWhole ? take(request, limit) : collectBody(request, limits);
  });
  return coding === 'identity' ? sent : sent.then((bytes) => inflater.inflate(coding, bytes, limit));
}

function take(request: IncomingMessage, limit: number): Buffer {
  const body = (request.read() as Buffer | null) ?? Buffer.alloc(0);
  request.resume();
  if (body.length > limit) throw RequestError.payloadTooLarge(limit);
  return body;
}
