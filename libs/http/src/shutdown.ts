import type { ServerResponse } from 'node:http';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { JsonExpressAdapter } from './express.adapter.js';
import { stateOf } from './request-context.js';

export interface ShutdownSettings {
  /** How long requests are served as before, until load balancers notice that the instance is not ready, in seconds. */
  readonly delaySeconds: number;
  /** Requests that are still in flight after this many seconds are aborted. */
  readonly graceSeconds: number;
  /** Reduces the target of an aborted request to what the log may contain. */
  readonly loggedPath: (target: string) => string;
}

/** npm repeats a signal that the terminal has already sent to its child. A second signal within this time is ignored. */
const SAME_SIGNAL_MS = 1_000;

/** The part of the grace period that is reserved for closing the database; of a short grace period, a quarter. */
const CLOSING_MS = 2_000;

/** How long requests that still arrive are served, and idle connections stay open, when no new connection is accepted. */
const LATE_ARRIVALS_MS = 1_000;

const CHECK_MS = 20;

/**
 * Shuts the application down at SIGTERM or SIGINT, and exits with 0, or with 1 if something could not be closed. A
 * second signal exits immediately with 128 plus its number, the usual exit code for a signal.
 */
export function exitOnSignals(app: INestApplication, settings: ShutdownSettings): void {
  const logger = new Logger('Shutdown');
  let first: number | undefined;
  const onSignal = (signal: 'SIGTERM' | 'SIGINT') => {
    if (first === undefined) {
      first = performance.now();
      shutDown(app, settings).then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'The shutdown failed');
          process.exit(1);
        },
      );
    } else if (performance.now() - first > SAME_SIGNAL_MS) {
      logger.warn(`${signal} again: exiting at once`);
      process.exit(128 + constants.signals[signal]);
    }
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

/**
 * Shuts the application down without failing a request, within the grace period (ADR 0008). The order:
 *
 * 1. The instance is no longer ready, and serves on until load balancers have noticed (`delaySeconds`).
 * 2. No new connections. Requests in flight are completed, and aborted only at the end of the grace period.
 * 3. The application is closed: Nest ends what modules run, and the connections to the database.
 *
 * @throws Error if the application could not be closed, or not in time
 */
export async function shutDown(app: INestApplication, settings: ShutdownSettings): Promise<void> {
  const { delaySeconds, graceSeconds, loggedPath } = settings;
  const logger = new Logger('Shutdown');
  const drain = app.get(HttpDrain);
  const graceMs = graceSeconds * 1000;
  const end = performance.now() + graceMs;

  logger.log(`Not ready any more, but still serving for ${delaySeconds} s`);
  drain.begin();
  // Without a delay the listener must close in this turn, before a response makes its client connect anew.
  if (delaySeconds > 0) {
    await delay(delaySeconds * 500);
    drain.keepConnections();
    await delay(delaySeconds * 500);
  }

  logger.log('No longer listening, and finishing requests in flight');
  for (const response of await drain.finish(end - Math.min(CLOSING_MS, graceMs / 4))) {
    const { method, url = '' } = response.req;
    logger.warn({ ...stateOf(response).context, method, path: loggedPath(url) }, 'A request was cut off');
  }

  const tooLate = delay(Math.max(0, end - performance.now() - 100)).then(() => {
    throw new Error('The application did not close in time');
  });
  await Promise.race([app.close(), tooLate]);
  logger.log('Closed');
}

/** Stops the HTTP server without failing a request. */
@Injectable()
export class HttpDrain {
  private readonly stopping = new AbortController();

  constructor(private readonly host: HttpAdapterHost<JsonExpressAdapter>) {}

  /** Aborted when the server begins to stop. A response that has no end of its own should end then; `@Sse()` does. */
  get signal(): AbortSignal {
    return this.stopping.signal;
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
    this.endConnections();
    this.stopping.abort();
  }

  /**
   * From now on connections stay open again. Clients that know no other instance have connected anew after each response:
   * many wait in the kernel's queue, of which Node takes one in each turn of the event loop. Those that are still there
   * when the listener closes are reset.
   */
  keepConnections(): void {
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
    const { httpAdapter } = this.host;
    const { requestTracker } = httpAdapter;
    httpAdapter.getHttpServer().stopListening();
    this.endConnections();

    const lateUntil = performance.now() + LATE_ARRIVALS_MS;
    while (requestTracker.openConnections > 0 && performance.now() < deadline) {
      if (performance.now() > lateUntil) {
        if (requestTracker.inFlight === 0) break;
        httpAdapter.refusesRequests = true;
      }
      await delay(CHECK_MS);
      // Streams of events may have begun meanwhile.
      this.endConnections();
    }
    const cutOff = requestTracker.unfinishedResponses();
    requestTracker.destroyConnections();
    return cutOff;
  }

  /** Responses end their connections, and streams of events end: they have no end of their own. */
  private endConnections(): void {
    const { httpAdapter } = this.host;
    httpAdapter.endsConnections = true;
    for (const response of httpAdapter.requestTracker.unfinishedResponses()) {
      response.shouldKeepAlive = false;
      if (String(response.getHeader('Content-Type')).startsWith('text/event-stream')) response.end();
    }
  }
}
