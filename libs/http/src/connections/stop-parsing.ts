import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { isRefused } from './pipeline.js';

const upgrade = Symbol('upgrade');

type Upgradable = IncomingMessage & { [upgrade]?: boolean };

/**
 * Stops Node's parser after a refused request. One read may have brought thousands of requests, which would take memory
 * until the connection is closed.
 *
 * Node asks every request whether the connection changes to another protocol with it (`upgrade`), and then parses
 * nothing more. If a future version of Node does not ask, the requests are parsed and dropped.
 *
 * @param Request the class of the server's requests
 * @param server created with `shouldUpgradeCallback: leavesHttp`
 */
export function stopParsingAfterRefused(Request: typeof IncomingMessage, server: Server): void {
  Object.defineProperty(Request.prototype, 'upgrade', {
    configurable: true,
    get(this: Upgradable) {
      return this[upgrade] === true || isRefused(this.socket);
    },
    set(this: Upgradable, value: boolean) {
      this[upgrade] = value;
    },
  });
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => {
    // The refusal is being sent and ends the connection. Node has no listener for errors any more.
    socket.on('error', () => undefined);
  });
}

/**
 * Whether the connection of a request leaves HTTP. The server offers no other protocol, so this happens only after a
 * refused request.
 */
export function leavesHttp({ socket }: IncomingMessage): boolean {
  return isRefused(socket);
}
