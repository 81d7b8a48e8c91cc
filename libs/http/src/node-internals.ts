import type { IncomingMessage, Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

/**
 * The members of Node's requests, connections and servers that this library replaces, or calls although a class hides
 * them, because Node has neither a setting nor an event for the purpose. Each function says what becomes of it with a
 * Node that works in another way.
 */

const upgrade = Symbol('upgrade');

type Upgradable = IncomingMessage & { [upgrade]?: boolean };

/**
 * Stops Node's parser on connections that are refused. One read may have brought thousands of requests, which would
 * take memory until the connection is closed.
 *
 * Node asks every request whether the connection changes to another protocol with it (`upgrade`), and then parses
 * nothing more. A Node that does not ask parses the requests, and they are dropped.
 *
 * @param Request the class of the server's requests, which no other server has
 * @returns the value of the server's option `shouldUpgradeCallback`
 */
export function stopParsingOnRefused(
  Request: typeof IncomingMessage,
  isRefused: (socket: Socket) => boolean,
): (request: IncomingMessage) => boolean {
  Object.defineProperty(Request.prototype, 'upgrade', {
    configurable: true,
    get(this: Upgradable) {
      return this[upgrade] === true || isRefused(this.socket);
    },
    set(this: Upgradable, value: boolean) {
      this[upgrade] = value;
    },
  });
  // The server offers no other protocol, so a connection leaves HTTP only after a refused request.
  return ({ socket }) => isRefused(socket);
}

/**
 * Replaces how Node closes a connection after its last response. It calls `destroySoon`, which does not read what has
 * arrived. A Node that calls another method closes as it always did.
 */
export function closeBy(close: (socket: Socket) => void, socket: Socket): void {
  socket.destroySoon = () => {
    close(socket);
  };
}

/**
 * Stops listening. HTTP's own `close` would close idle connections immediately, and would abort a request that is on
 * its way.
 */
export function stopListening(server: Server): void {
  NetServer.prototype.close.call(server);
}

/**
 * Calls back with the length of every chunk of a body before its reader gets the chunk. A listener for `data` would
 * start the stream before the reader listens. With a Node that does not push chunks, only the announced length of a
 * body is limited.
 *
 * @param takes returns `false` if the reader must not get the chunk
 * @returns a function that ends the body for its reader
 */
export function observeBody(request: IncomingMessage, takes: (length: number) => boolean): () => void {
  keepSocket(request);
  const push = request.push.bind(request);
  request.push = (chunk: Buffer | null, encoding) => !takes(chunk?.length ?? 0) || push(chunk, encoding);
  return () => {
    push(null);
  };
}

/**
 * Keeps the response to a request possible, although the reader of its body destroys its stream after an error. The
 * response then ends the connection.
 */
export function keepResponse(request: IncomingMessage): void {
  request.destroy = () => request;
}

/** With `for await`, Node removes the socket from an aborted request, and then fails because it needs the socket. */
function keepSocket(request: IncomingMessage): void {
  const { socket } = request;
  Object.defineProperty(request, 'socket', { configurable: true, get: () => socket, set: () => undefined });
}
