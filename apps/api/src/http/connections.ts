import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** A request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The open connections of a server, each with the exchange that began last on it. */
export class Connections {
  private readonly exchanges = new Map<Duplex, Exchange | undefined>();

  constructor(readonly server: Server) {
    server.on('connection', (socket: Duplex) => {
      this.exchanges.set(socket, undefined);
      socket.once('close', () => this.exchanges.delete(socket));
    });
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      this.exchanges.set(request.socket, { request, response });
    });
  }

  get count(): number {
    return this.exchanges.size;
  }

  latestOn(socket: Duplex): Exchange | undefined {
    return this.exchanges.get(socket);
  }

  /** The latest exchange of every connection on which one is not over. */
  underWay(): Exchange[] {
    return [...this.exchanges.values()].filter(
      (exchange): exchange is Exchange => exchange !== undefined && isUnderWay(exchange),
    );
  }

  /** Ends every connection, whatever is going on there. */
  destroyAll(): void {
    for (const socket of this.exchanges.keys()) socket.destroy();
  }
}

/** Whether the client still waits for the answer, or for the rest of it. */
export function isUnderWay({ response }: Exchange): boolean {
  return !response.writableFinished && !response.destroyed;
}
