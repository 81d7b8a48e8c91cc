import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type INestApplication } from '@nestjs/common';
import { requestIdOf } from '../requests/request-context.js';
import { HttpDrain } from './http-drain.js';

export interface ShutdownSettings {
  /** For how long the service is served as before while balancers notice that it is not ready any more, in seconds. */
  readonly delaySeconds: number;
  /** What is not over after this many seconds more is cut off. */
  readonly graceSeconds: number;
  /** What the log may tell of the target of a request that was cut off. */
  readonly loggedPath: (target: string) => string;
}

/** What is kept of the grace for closing the database: this, or a quarter of a short grace. In milliseconds. */
const CLOSING_MS = 2_000;

/**
 * Ends the application without failing a request, within the grace:
 *
 * 1. not ready any more, and serving as before, until balancers have noticed (`delaySeconds`);
 * 2. no new connections; what is under way is finished, and cut off only when the grace runs out;
 * 3. the database is closed.
 *
 * @throws when the database could not be closed, or not in time
 */
export async function shutDown(app: INestApplication, settings: ShutdownSettings): Promise<void> {
  const logger = new Logger('Shutdown');
  const drain = app.get(HttpDrain);
  const graceMs = settings.graceSeconds * 1000;
  const end = performance.now() + graceMs;

  logger.log(`Not ready any more, and serving on for ${settings.delaySeconds} s`);
  drain.begin();
  await delay(settings.delaySeconds * 1000);

  logger.log('No longer listening, and finishing what is under way');
  for (const { req: request } of await drain.finish(end - Math.min(CLOSING_MS, graceMs / 4))) {
    const path = settings.loggedPath(request.url ?? '');
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
