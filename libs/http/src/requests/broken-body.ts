import type { IncomingMessage } from 'node:http';

const fault = Symbol('fault of the body');

type Request = IncomingMessage & { [fault]?: Error };

/**
 * Notes that the rest of a request will not arrive: what came of it is no HTTP, or came too late. Whoever reads the body
 * now or later is told; whoever refuses the request without reading it need not know.
 */
export function breakBody(request: IncomingMessage, error: Error): void {
  (request as Request)[fault] = error;
  if (request.listenerCount('error') > 0) request.emit('error', error);
}

/** What {@link breakBody} noted, if anything. */
export function faultOfBody(request: IncomingMessage): Error | undefined {
  return (request as Request)[fault];
}
