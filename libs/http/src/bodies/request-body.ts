import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '../errors/request.errors.js';
import { keepResponse, observeBody } from '../node-internals.js';
import { breakBody, collectBody } from './body-collector.js';
import type { BodyLimits } from './body-limits.js';

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
export function mustCloseAfterResponse(request: IncomingMessage): boolean {
  if (request.complete) return false;
  if (expectingContinue.has(request) || request.headers['transfer-encoding'] !== undefined) return true;
  const length = request.headers['content-length'];
  return length !== undefined && Number(length) > KEEP_ALIVE_UP_TO;
}

/**
 * No two repeated groups can match the same blanks: with such a pattern, a header of 16 kB of tabs would take half a
 * second.
 */
const JSON_MEDIA_TYPE = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?(?:[ \t]*;)?[ \t]*$/i;

/** Whether the type is `application/json`, alone or with the only charset of JSON, UTF-8 (RFC 8259, section 8.1). */
export function isJsonMediaType(contentType: string): boolean {
  return JSON_MEDIA_TYPE.test(contentType);
}

/**
 * Refuses a body that is not sent as it is. Bodies are small: to inflate them would buy nobody anything, and cost
 * memory and processor time that a stranger chooses.
 *
 * @returns the refusal: 415 for a `Content-Encoding`, 400 for a `Transfer-Encoding` other than `chunked`
 */
export function refusalOfEncodedBody({ headers }: IncomingMessage): RequestError | undefined {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'identity') return RequestError.unsupportedEncoding();
  const transfer = headers['transfer-encoding']?.trim().toLowerCase() ?? 'chunked';
  return transfer === 'chunked' ? undefined : RequestError.invalid(['Transfer-Encoding may only be chunked']);
}

/**
 * Reads a body. Reading stops at the limit, even if the announced size is smaller; the rest stays unread.
 *
 * @param start called before the body is read; not called for a body that is refused by its headers
 * @throws RequestError immediately if the headers are wrong, otherwise as a rejection
 * @throws BodiesTooLargeError as a rejection, if all bodies together are too large
 */
export function readBody(request: IncomingMessage, limits: BodyLimits, start: () => void): Promise<Buffer> {
  const { limit } = limits;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) throw RequestError.payloadTooLarge(limit);
  start();
  // Most bodies arrive together with the header. Node calls the handler while it still parses those bytes, and has
  // parsed all of them one promise later. Such a body does not wait for the events of a stream.
  return Promise.resolve().then(() => {
    const isWhole = request.complete || (announced > 0 && request.readableLength === announced);
    return isWhole ? take(request, limit) : collectBody(request, limits);
  });
}

function take(request: IncomingMessage, limit: number): Buffer {
  const body = (request.read() as Buffer | null) ?? Buffer.alloc(0);
  request.resume();
  if (body.length > limit) throw RequestError.payloadTooLarge(limit);
  return body;
}

/**
 * Limits a body that other code reads, such as Nest's `FileInterceptor`. Beyond the limit the reader gets no more
 * bytes, and an error event as from any stream.
 *
 * @throws RequestError if the header announces a body that is too large
 */
export function limitOwnBody(
  request: IncomingMessage,
  response: ServerResponse,
  { limit, memory }: Pick<BodyLimits, 'limit' | 'memory'>,
): void {
  if (!hasBody(request)) return;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw RequestError.payloadTooLarge(limit);
  let bytes = request.readableLength;
  const state = { isRefused: false };
  const isRefused = () => state.isRefused;
  const refuse = (error: Error) => {
    if (isRefused()) return;
    state.isRefused = true;
    room.release();
    const isHeard = request.listenerCount('error') > 0;
    keepResponse(request);
    breakBody(request, error);
    // A reader that heard the error still waits for the end, and cannot mistake a part of the body for the whole.
    if (isHeard) setImmediate(end);
  };
  const room = memory.open(refuse);
  response.once('close', () => {
    room.release();
  });
  const end = observeBody(request, (length) => {
    if (isRefused()) return false;
    bytes += length;
    if (bytes > limit) refuse(RequestError.payloadTooLarge(limit));
    else room.grow(bytes);
    return !isRefused();
  });
  sendContinue(request, response);
}
