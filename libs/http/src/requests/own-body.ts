import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestError } from '../errors/request.errors.js';
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
  keepSocket(request);
  const push = request.push.bind(request);
  const state = { isRefused: false };
  const refuse = (error: Error) => {
    if (isRefused()) return;
    state.isRefused = true;
    room.release();
    const isHeard = request.listenerCount('error') > 0;
    // A reader destroys its stream after an error. That would destroy the response too; the response ends the
    // connection.
    request.destroy = () => request;
    breakBody(request, error);
    // A reader that heard the error still waits for the end, and cannot mistake a part of the body for the whole.
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
  sendContinue(request, response);
}

/** With `for await`, Node removes the socket from an aborted request, and then fails because it needs the socket. */
function keepSocket(request: IncomingMessage): void {
  const { socket } = request;
  Object.defineProperty(request, 'socket', { configurable: true, get: () => socket, set: () => undefined });
}
