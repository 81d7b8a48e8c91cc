import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { JsonExpressAdapter } from '../nest/json-express.adapter.js';
import { RequestTracker } from '../connections/request-tracker.js';

/** How long requests that still arrive are served, and idle connections stay open, when no new connection is accepted. */
const LATE_ARRIVALS_MS = 1_000;

const CHECK_MS = 20;

/** Stops the HTTP server without failing a request (ADR 0008). */
@Injectable()
export class HttpDrain {
  constructor(
    private readonly host: HttpAdapterHost<JsonExpressAdapter>,
    private readonly requestTracker: RequestTracker,
  ) {}

  /** Aborted when the server begins to stop. A response that has no end of its own should end then; `@Sse()` does. */
  get signal(): AbortSignal {
    return this.host.httpAdapter.stopping.signal;
  }

  /** Whether the instance is no longer ready. */
  get hasBegun(): boolean {
    return this.signal.aborted;
  }

  /**
   * From now on every response ends its connection (`Connection: close`), so that the client connects to another
   * instance. Requests are served as before.
   */
  begin(): void {
    if (this.hasBegun) return;
    this.endConnections();
    this.host.httpAdapter.stopping.abort();
  }

  /**
   * From now on connections stay open again. Clients that know no other instance have connected anew after each response:
   * many wait in the kernel's queue, of which Node takes one in each turn of the event loop. Those that are still there
   * when the listener closes are reset.
   */
  settle(): void {
    this.host.httpAdapter.endsConnections = false;
  }

  /**
   * Accepts no more connections, and waits until all requests in flight are over. A further request on an open
   * connection is served for a moment, and gets 503 after that. At the end no connection is open.
   *
   * @param deadline in the time of `performance.now()`
   * @returns the responses that were not complete by the deadline, and were aborted
   */
  async finish(deadline: number): Promise<readonly ServerResponse[]> {
    const { requestTracker } = this;
    const { httpAdapter } = this.host;
    httpAdapter.getHttpServer().stopListening();
    this.endConnections();

    const lateUntil = performance.now() + LATE_ARRIVALS_MS;
    while (requestTracker.openConnections > 0 && performance.now() < deadline) {
      if (performance.now() > lateUntil) {
        if (requestTracker.inFlight === 0) break;
        httpAdapter.refusesRequests = true;
      }
      await delay(CHECK_MS);
    }
    const cutOff = requestTracker.unfinishedResponses();
    requestTracker.destroyConnections();
    return cutOff;
  }

  private endConnections(): void {
    this.host.httpAdapter.endsConnections = true;
    for (const response of this.requestTracker.unfinishedResponses()) response.shouldKeepAlive = false;
  }
}
