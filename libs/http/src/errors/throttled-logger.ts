import type { Logger } from '@nestjs/common';
import { BoundedMap } from '../caches/bounded-map.js';

/** How long one line stands for all that say the same, in milliseconds. */
const ONE_LINE_PER_MS = 1_000;

const MAX_MESSAGES = 100;

interface LoggedMessage {
  readonly at: number;
  /** How many said the same since. */
  since: number;
}

/**
 * Logs what may come with every request while it lasts, such as that the database is away: one line a second for each
 * message, which tells how many there were before it. A log that thousands of stack traces a second go to is of no use,
 * and writing them takes the time that the requests need.
 */
export class ThrottledLogger {
  private readonly logged = new BoundedMap<string, LoggedMessage>(MAX_MESSAGES);

  constructor(private readonly logger: Pick<Logger, 'warn'>) {}

  /** @param message one of a few: it tells the lines apart */
  warn(message: string, error: unknown): void {
    const before = this.logged.get(message);
    const now = performance.now();
    if (before !== undefined && now - before.at < ONE_LINE_PER_MS) {
      before.since += 1;
      return;
    }
    this.logged.set(message, { at: now, since: 0 });
    const repeated = before?.since ?? 0;
    this.logger.warn({ err: error, ...(repeated > 0 && { repeated }) }, message);
  }
}
