import { Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { JsonExpressAdapter } from './express.adapter.js';

export interface ShutdownSettings {
  /** How long requests are served as before, until load balancers notice that the instance is not ready, in seconds. */
  readonly delaySeconds: number;
  /** How long the shutdown may take, in seconds. Requests in flight are aborted two seconds before, or a quarter of it. */
  readonly graceSeconds: number;
}

/** The part of the grace period that is reserved for closing the database; of a short grace period, a quarter. */
const CLOSING_MS = 2_000;

/** How long requests that still arrive are served, and idle connections stay open, when no new connection is accepted. */
const LATE_ARRIVALS_MS = 1_000;

const CHECK_MS = 20;

/**
 * Shuts the application down at SIGTERM or SIGINT, and exits with 0, or with 1 if something could not be closed. Further
 * signals change nothing: npm repeats one that the terminal has already sent to its child.
 */
export function exitOnSignals(app: INestApplication, settings: ShutdownSettings): void {
  let end: Promise<void> | undefined;
  const onSignal = () => {
    end ??= shutDown(app, settings).then(
      () => process.exit(0),
      (error: unknown) => {
        new Logger('Shutdown').error({ err: error }, 'The shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
}

/**
 * Shuts the application down without failing a request, within the grace period (ADR 0008).
 *
 * @throws Error if the application could not be closed, or not in time
 */
export async function shutDown(app: INestApplication, settings: ShutdownSettings): Promise<void> {
  const { delaySeconds, graceSeconds } = settings;
  const logger = new Logger('Shutdown');
  const drain = app.get(HttpDrain);
  const graceMs = graceSeconds * 1000;
  const end = performance.now() + graceMs;

  logger.log(`Not ready any more, but still serving for ${delaySeconds} s`);
  drain.begin();
  await delay(delaySeconds * 1000);

  logger.log('No longer listening, and finishing requests in flight');
  await drain.finish(end - Math.min(CLOSING_MS, graceMs / 4));

  const tooLate = delay(Math.max(0, end - performance.now() - 100)).then(() => {
    throw new Error('The application did not close in time');
  });
  await Promise.race([app.close(), tooLate]);
  logger.log('Closed');
}

/** Stops the HTTP server without failing a request. */
@Injectable()
export class HttpDrain {
  /** Whether the instance is no longer ready. A response that has no end of its own should end then; `@Sse()` does. */
  hasBegun = false;

  constructor(private readonly host: HttpAdapterHost<JsonExpressAdapter>) {}

  /** From now on the instance is not ready. Requests are served as before; streams of events end. */
  begin(): void {
    this.hasBegun = true;
    this.endEventStreams();
  }

  /**
   * Accepts no more connections, and waits until all requests in flight are over. Every response ends its connection. A further
   * request on an open connection is served for a moment, and gets 503 after that. At the end no connection is open.
   *
   * @param deadline in the time of `performance.now()`: requests that are still in flight are aborted
   */
  async finish(deadline: number): Promise<void> {
    const { httpAdapter } = this.host;
    const { requestTracker } = httpAdapter;
    // Not the `close` of Node's HTTP server, which also closes connections that are idle: a request may be on its way on them.
    Server.prototype.close.call(httpAdapter.getHttpServer());
    httpAdapter.endsConnections = true;
    for (const response of requestTracker.unfinishedResponses()) response.shouldKeepAlive = false;

    const lateUntil = performance.now() + LATE_ARRIVALS_MS;
    while (requestTracker.openConnections > 0 && performance.now() < deadline) {
      if (performance.now() > lateUntil) {
        if (requestTracker.inFlight === 0) break;
        httpAdapter.refusesRequests = true;
      }
      await delay(CHECK_MS);
      // Some may have begun meanwhile.
      this.endEventStreams();
    }
    requestTracker.destroyConnections();
    // The log gets its line of a request when its connection has ended.
    await delay(CHECK_MS);
  }

  /** They have no end of their own. */
  private endEventStreams(): void {
    for (const response of this.host.httpAdapter.requestTracker.unfinishedResponses())
      if (String(response.getHeader('Content-Type')).startsWith('text/event-stream')) response.end();
  }
}
