import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '../errors/request.errors.js';
import { keepResponse, observeBody } from '../node-internals.js';
import type { BodyLimits } from './body-limits.js';
import { breakBody, sendContinue, hasBody } from './request-body.js';

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
