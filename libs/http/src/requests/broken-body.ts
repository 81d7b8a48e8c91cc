import type { IncomingMessage } from 'node:http';

const fault = Symbol('fault of the body');

type Request = IncomingMessage & { [fault]?: Error };

/**
 * Records that the rest of a request will not arrive, because it is not valid HTTP or came too late. Code that reads
 * the body gets the error, now or later. Code that refuses the request without reading the body does not need it.
 */
export function breakBody(request: IncomingMessage, error: Error): void {
  (request as Request)[fault] = error;
  if (request.listenerCount('error') > 0) request.emit('error', error);
}

/** The error that {@link breakBody} recorded, if any. */
export function faultOfBody(request: IncomingMessage): Error | undefined {
  return (request as Request)[fault];
}
