import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type INestApplication } from '@nestjs/common';
import type { Environment } from '../environment.js';
import { requestIdOf } from '../http/request-context.js';
import { HttpDrain } from '../http/http-drain.js';
import { loggedPath } from '../logging/logged-path.js';

export type ShutdownSettings = Pick<Environment, 'SHUTDOWN_DELAY_SECONDS' | 'SHUTDOWN_GRACE_SECONDS'>;

/** What is kept of the grace for closing the database: this, or a quarter of a short grace. In milliseconds. */
const CLOSING_MS = 2_000;

/**
 * Ends the application without failing a request, within the grace:
 *
 * 1. not ready any more, and serving as before, until balancers have noticed (`SHUTDOWN_DELAY_SECONDS`);
 * 2. no new connections; what is under way is finished, and cut off only when the grace runs out;
 * 3. the database is closed.
 *
 * @throws when the database could not be closed, or not in time
 */
export async function shutDown(app: INestApplication, settings: ShutdownSettings): Promise<void> {
  const logger = new Logger('Shutdown');
  const drain = app.get(HttpDrain);
  const graceMs = settings.SHUTDOWN_GRACE_SECONDS * 1000;
  const end = performance.now() + graceMs;

  logger.log(`Not ready any more, and serving on for ${settings.SHUTDOWN_DELAY_SECONDS} s`);
  drain.begin();
  await delay(settings.SHUTDOWN_DELAY_SECONDS * 1000);

  logger.log('No longer listening, and finishing what is under way');
  for (const { req: request } of await drain.finish(end - Math.min(CLOSING_MS, graceMs / 4))) {
    const path = loggedPath(request.url ?? '');
    logger.warn({ requestId: requestIdOf(request), method: request.method, path }, 'A request was cut off');
  }
  await inTime(app.close(), end);
  logger.log('Closed');
}

async function inTime(closing: Promise<void>, end: number): Promise<void> {
  const tooLate = delay(Math.max(0, end - performance.now() - 100)).then(() => {
    throw new Error('The database did not close in time');
  });
  await Promise.race([closing, tooLate]);
}
