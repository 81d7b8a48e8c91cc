import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '../errors/request.errors.js';
import { breakBody } from './broken-body.js';
import type { BodyLimits } from './body-limits.js';
import { askForBody, hasBody } from './request-body.js';

/**
 * Bounds a body that is read by somebody else, such as Nest's `FileInterceptor`: beyond the limit no more of it is given,
 * and who reads it is told as of any error of a stream.
 *
 * @throws RequestError where the header tells that it is too large
 */
export function limitOwnBody(
  request: IncomingMessage,
  response: ServerResponse,
  { limit, memory }: Pick<BodyLimits, 'limit' | 'memory'>,
): void {
  if (!hasBody(request)) return;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw RequestError.payloadTooLarge(limit);
  keepSocket(request);
  const push = request.push.bind(request);
  const state = { isRefused: false };
  const refuse = (error: Error) => {
    if (isRefused()) return;
    state.isRefused = true;
    room.release();
    const isHeard = request.listenerCount('error') > 0;
    // Who reads a stream destroys it after an error, and this one would take the answer with it: that ends the connection.
    request.destroy = () => request;
    breakBody(request, error);
    // Who heard of the error waits for the end, and takes no part of a body for the whole of it.
    if (isHeard) setImmediate(push, null);
  };
  const room = memory.open(refuse);
  response.once('close', () => {
    room.release();
  });
  let bytes = request.readableLength;
  const isRefused = () => state.isRefused;
  const count = (more: number) => {
    bytes += more;
    if (bytes > limit) refuse(RequestError.payloadTooLarge(limit));
    else room.grow(bytes);
  };
  request.push = (chunk: Buffer | null, encoding) => {
    if (chunk !== null && !isRefused()) count(chunk.length);
    return isRefused() || push(chunk, encoding);
  };
  askForBody(request, response);
}

/** Node takes the socket from a request that `for await` gives up, and then fails where it looks for it. */
function keepSocket(request: IncomingMessage): void {
  const { socket } = request;
  Object.defineProperty(request, 'socket', { configurable: true, get: () => socket, set: () => undefined });
}
