import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ErrorResponse } from '../errors/error.response.js';
import { RequestTracker, isUnfinished } from '../connections/request-tracker.js';
import type { JsonExpressAdapter } from '../server/json-express-adapter.js';
import { RETRY_LATER, writeError } from '../responses/write-response.js';

/** For how long idle connections are left open after the last new one, so that who is just sending gets an answer. */
const LATE_ARRIVALS_MS = 1_000;

const CHECK_MS = 20;

const LATE = ErrorResponse.of(
  'service_unavailable',
  'This instance of the service is stopping: send the request again',
);

/**
 * Brings the HTTP server to rest without failing a request (ADR 0008). It costs nothing before it begins: the listener
 * of requests is exchanged then.
 */
@Injectable()
export class HttpDrain {
  private begun = false;
  private listening = true;

  constructor(
    private readonly host: HttpAdapterHost<JsonExpressAdapter>,
    private readonly requestTracker: RequestTracker,
  ) {}

  /** Readiness is off from here on. */
  get hasBegun(): boolean {
    return this.begun;
  }

  /** From now on every answer ends its connection (`Connection: close`); requests are served as before. */
  begin(): void {
    if (this.begun) return;
    this.begun = true;

    for (const response of this.requestTracker.unfinishedResponses()) endConnectionWith(response);
    const { server } = this;
    const listeners = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const before = this.requestTracker.latestOn(request.socket);
      // No request behind the one whose answer ends the connection may be carried out (RFC 9112, section 9.6).
      if (before !== undefined && isUnfinished(before) && !before.shouldKeepAlive) return;
      endConnectionWith(response);
      if (this.listening) for (const listener of listeners) listener.call(server, request, response);
      else this.refuse(request, response);
    });
  }

  /**
   * Takes no more connections, and waits until what is under way is over. Who sends another request on a connection
   * that is open still is told to go elsewhere, with 503. At the end no connection is open.
   *
   * @param deadline as `performance.now()` tells the time
   * @returns the answers that were not out by the deadline, and were cut off
   */
  async finish(deadline: number): Promise<readonly ServerResponse[]> {
    const { requestTracker } = this;
    this.listening = false;
    // The `close` of HTTP would cut idle connections off at once, and with them a request that is on its way here.
    NetServer.prototype.close.call(this.server);

    const lateUntil = performance.now() + LATE_ARRIVALS_MS;
    while (requestTracker.openConnections > 0 && performance.now() < deadline) {
      if (performance.now() > lateUntil && requestTracker.unfinishedResponses().length === 0) break;
      await delay(CHECK_MS);
    }
    const cutOff = requestTracker.unfinishedResponses();
    requestTracker.destroyConnections();
    return cutOff;
  }

  private get server(): Server {
    return this.host.httpAdapter.getHttpServer();
  }

  private refuse(request: IncomingMessage, response: ServerResponse): void {
    this.requestTracker.begin(response);
    this.host.httpAdapter.openContext(request);
    // A new connection leads to another instance, if there is one.
    writeError(request, response, LATE, RETRY_LATER);
  }
}

/** Node then sends `Connection: close` with the answer, and ends the connection behind it. */
function endConnectionWith(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}
