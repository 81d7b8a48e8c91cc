import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '../errors/request.errors.js';
import type { BodyLimits } from './body-limits.js';
import { collectBody } from './collect-body.js';
import { isSupportedCoding } from './inflate.js';

/** Whether the request announces a body (RFC 9112, section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** A body up to this size is let run off and the connection kept; a larger one ends the connection. In bytes. */
const KEEP_ALIVE_UP_TO = 64 * 1024;

const expectingContinue = new WeakSet<IncomingMessage>();

/** Notes that the client waits for `100 Continue` before it sends the body (RFC 9110, section 10.1.1). */
export function bodyAwaitsContinue(request: IncomingMessage): void {
  expectingContinue.add(request);
}

/** Tells a client that waits for it to send the body now. */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  if (expectingContinue.delete(request)) response.writeContinue();
}

/**
 * Whether the connection must end with this answer, because the client may go on to send a body that nobody reads.
 * A short one is let run off instead, and the connection stays.
 */
export function leavesBodyUnread(request: IncomingMessage): boolean {
  if (request.complete) return false;
  if (expectingContinue.has(request) || request.headers['transfer-encoding'] !== undefined) return true;
  const length = request.headers['content-length'];
  return length !== undefined && Number(length) > KEEP_ALIVE_UP_TO;
}

/**
 * Reads and inflates a body. Stops at the limit, whatever the sender claims the size to be: the rest is left unread.
 *
 * @param start called when the body is about to be read; a body that is refused by its headers alone never is
 * @throws RequestError at once where the header tells, else as a rejection
 * @throws BodiesTooLargeError as a rejection, where all bodies together are too large
 */
export function readBody(request: IncomingMessage, limits: BodyLimits, start: () => void): Promise<Buffer> {
  const { limit, inflater } = limits;
  const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) throw RequestError.payloadTooLarge(limit);
  if (coding !== 'identity' && !isSupportedCoding(coding)) throw RequestError.unsupportedEncoding();
  start();
  // Most bodies come with their header. Node calls the handler in the middle of the bytes that both came in, and has
  // parsed the rest of them a promise later: such a body need not wait for the events of a stream.
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
