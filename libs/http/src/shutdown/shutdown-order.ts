import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type INestApplication } from '@nestjs/common';
import { exchangeOf } from '../requests/exchange.js';
import { HttpDrain } from './http-drain.js';

export interface ShutdownSettings {
  /** How long requests are served as before, until load balancers notice that the instance is not ready, in seconds. */
  readonly delaySeconds: number;
  /** Requests that are still in flight after this many more seconds are aborted. */
  readonly graceSeconds: number;
  /** Reduces the target of an aborted request to what the log may contain. */
  readonly loggedPath: (target: string) => string;
}

/**
 * The part of the grace period that is reserved for closing the database, in milliseconds; of a short grace period, a
 * quarter.
 */
const CLOSING_MS = 2_000;

/**
 * Shuts the application down without failing a request, within the grace period. The order:
 *
 * 1. The instance is no longer ready, and serves on until load balancers have noticed (`delaySeconds`).
 * 2. No new connections. Requests in flight are completed, and aborted only at the end of the grace period.
 * 3. The application is closed: Nest ends what modules run, and the connections to the database.
 *
 * @throws Error if the application could not be closed, or not in time
 */
export async function shutDown(app: INestApplication, settings: ShutdownSettings): Promise<void> {
  const logger = new Logger('Shutdown');
  const drain = app.get(HttpDrain);
  const delayMs = settings.delaySeconds * 1000;
  const graceMs = settings.graceSeconds * 1000;
  const end = performance.now() + graceMs;

  logger.log(`Not ready any more, and serving on for ${settings.delaySeconds} s`);
  drain.begin();
  // Without a delay the listener must close in this turn, before a response makes its client connect anew.
  if (delayMs > 0) {
    await delay(delayMs / 2);
    drain.settle();
    await delay(delayMs / 2);
  }

  logger.log('No longer listening, and finishing what is under way');
  for (const response of await drain.finish(end - Math.min(CLOSING_MS, graceMs / 4))) {
    const { requestId } = exchangeOf(response).context;
    const { method, url = '' } = response.req;
    logger.warn({ requestId, method, path: settings.loggedPath(url) }, 'A request was cut off');
  }
  await inTime(app.close(), end);
  logger.log('Closed');
}

async function inTime(closing: Promise<void>, end: number): Promise<void> {
  const tooLate = delay(Math.max(0, end - performance.now() - 100)).then(() => {
    throw new Error('The application did not close in time');
  });
  await Promise.race([closing, tooLate]);
}
