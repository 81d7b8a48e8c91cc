import type { Logger } from '@nestjs/common';

/** The time for which one line represents all warnings with the same message, in milliseconds. */
const ONE_LINE_PER_MS = 1_000;

/** The number of messages that are remembered. There are a few, unless one holds what a client sent. */
const MAX_MESSAGES = 100;

interface LoggedMessage {
  readonly at: number;
  /** How many warnings with the same message were left out since then. */
  since: number;
}

/**
 * Logs warnings that may come with every request, for example while the database is down: one line a second for each
 * message, with the number of lines that were left out. Thousands of stack traces a second make a log useless, and
 * writing them takes time from the requests.
 */
export class ThrottledLogger {
  private readonly logged = new Map<string, LoggedMessage>();

  constructor(private readonly logger: Pick<Logger, 'warn'>) {}

  /** @param message one of a few texts: it identifies the warning */
  warn(message: string, error: unknown): void {
    const before = this.logged.get(message);
    const now = performance.now();
    if (before !== undefined && now - before.at < ONE_LINE_PER_MS) {
      before.since += 1;
      return;
    }
    if (this.logged.size >= MAX_MESSAGES) this.logged.clear();
    this.logged.set(message, { at: now, since: 0 });
    const repeated = before?.since ?? 0;
    this.logger.warn({ err: error, ...(repeated > 0 && { repeated }) }, message);
  }
}
