import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../errors/error-code.js';

/** How long a migration may wait for a lock, in milliseconds. Other transactions that need the table wait behind it. */
export const LOCK_WAIT_MS = 500;

/** The SQLSTATE of a lock timeout (appendix A, `lock_not_available`). */
const LOCK_NOT_AVAILABLE = '55P03';

/** A migration could not lock its table, because other transactions used the table all the time. */
export class TableInUseError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor(waitedMs: number, cause: unknown) {
    super(
      `A migration gave way for ${Math.round(waitedMs / 1000)} s to transactions that use its table all that time. Those that are ` +
        'open for long are in pg_stat_activity: select pid, xact_start, query from pg_stat_activity order by xact_start',
      { cause },
    );
  }
}

export interface RetryOptions {
  /** How long the work is repeated, in milliseconds. */
  readonly giveUpAfterMs: number;
  /** The pause between two attempts, in milliseconds. */
  readonly pauseMs: number;
  /** Called once, before the first repetition. */
  readonly onWait: () => void;
}

/** Runs the work, and repeats it after a lock timeout. @throws TableInUseError if no attempt succeeded in time */
export async function retryOnLockTimeout<Result>(work: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  const startedAt = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || errorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
      const waitedMs = performance.now() - startedAt;
      if (waitedMs >= options.giveUpAfterMs) throw new TableInUseError(waitedMs, error);
      if (tries === 1) options.onWait();
      await delay(options.pauseMs);
    }
  }
}
