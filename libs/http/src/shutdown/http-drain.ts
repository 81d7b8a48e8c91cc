import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import { stopListening } from '../node-internals.js';
import { ErrorResponse } from '../errors/error-response.js';
import { RequestTracker, isUnfinished } from '../connections/request-tracker.js';
import type { JsonExpressAdapter } from '../nest/json-express-adapter.js';
import { STOPPING_SETTING } from '../responses/response.interceptor.js';
import { RETRY_LATER, writeError } from '../responses/response-writer.js';

/** How long idle connections stay open after the last new one, so that a client that is just sending gets a response. */
const LATE_ARRIVALS_MS = 1_000;

const CHECK_MS = 20;

const LATE = ErrorResponse.of(
  'service_unavailable',
  'This instance of the service is stopping: send the request again',
);

/**
 * Stops the HTTP server without failing a request (ADR 0008). It costs nothing before it begins: the request listener
 * is replaced only then.
 */
@Injectable()
export class HttpDrain {
  private readonly stopping = new AbortController();
  private listening = true;

  constructor(
    private readonly host: HttpAdapterHost<JsonExpressAdapter>,
    private readonly requestTracker: RequestTracker,
  ) {
    host.httpAdapter.getInstance<Express>().set(STOPPING_SETTING, this.signal);
  }

  /** Aborted when the server begins to stop. A response that has no end of its own should end then. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Whether the instance is no longer ready. */
  get hasBegun(): boolean {
    return this.signal.aborted;
  }

  /** From now on every response ends its connection (`Connection: close`). Requests are served as before. */
  begin(): void {
    if (this.hasBegun) return;
    for (const response of this.requestTracker.unfinishedResponses()) endConnectionWith(response);
    this.stopping.abort();

    const { server } = this;
    const listeners = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const before = this.requestTracker.latestOn(request.socket);
      // No request may be carried out after the one whose response ends the connection (RFC 9112, section 9.6).
      if (before !== undefined && isUnfinished(before) && !before.shouldKeepAlive) return;
      endConnectionWith(response);
      if (this.listening) for (const listener of listeners) listener.call(server, request, response);
      else this.refuse(request, response);
    });
  }

  /**
   * Accepts no more connections, and waits until all requests in flight are over. A further request on an open
   * connection gets 503. At the end no connection is open.
   *
   * @param deadline in the time of `performance.now()`
   * @returns the responses that were not complete by the deadline, and were aborted
   */
  async finish(deadline: number): Promise<readonly ServerResponse[]> {
    const { requestTracker } = this;
    this.listening = false;
    stopListening(this.server);

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
    // A new connection goes to another instance, if there is one.
    writeError(request, response, LATE, RETRY_LATER);
  }
}

/** Node then sends `Connection: close` with the response, and closes the connection after it. */
function endConnectionWith(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}
