import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { JsonExpressAdapter } from '../json-express.adapter.js';
import { RequestTracker } from '../server/request-tracker.js';

/** How long idle connections stay open after the last new one, so that a client that is just sending gets a response. */
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

  /** From now on every response ends its connection (`Connection: close`). Requests are served as before. */
  begin(): void {
    if (this.hasBegun) return;
    for (const response of this.requestTracker.unfinishedResponses()) response.shouldKeepAlive = false;
    this.host.httpAdapter.stopping.abort();
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
    this.host.httpAdapter.refuseRequests();

    const lateUntil = performance.now() + LATE_ARRIVALS_MS;
    while (requestTracker.openConnections > 0 && performance.now() < deadline) {
      if (performance.now() > lateUntil && requestTracker.inFlight === 0) break;
      await delay(CHECK_MS);
    }
    const cutOff = requestTracker.unfinishedResponses();
    requestTracker.destroyConnections();
    return cutOff;
  }
}
