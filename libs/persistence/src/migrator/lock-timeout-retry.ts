import { setTimeout as delay } from 'node:timers/promises';

/** How long a migration may wait for a lock, in milliseconds: whoever wants the same table meanwhile waits behind it. */
export const LOCK_WAIT_MS = 500;

/** What PostgreSQL says when that was not enough (appendix A, `lock_not_available`). */
const LOCK_NOT_AVAILABLE = '55P03';

/** Somebody has been using a table for too long: a migration that needs it alone for a moment never had it. */
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
  /** For how long it is tried again, in milliseconds. */
  readonly giveUpAfterMs: number;
  /** How long others go first each time, in milliseconds. */
  readonly pauseMs: number;
  /** Called once, when it is tried again for the first time. */
  readonly onWait: () => void;
}

/**
 * Does the work, again and again where it got no lock in time.
 *
 * @throws TableInUseError when it never got it
 */
export async function retryOnLockTimeout<Result>(work: () => Promise<Result>, patience: RetryOptions): Promise<Result> {
  const startedAt = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!gotNoLock(error)) throw error;
      const waitedMs = performance.now() - startedAt;
      if (waitedMs >= patience.giveUpAfterMs) throw new TableInUseError(waitedMs, error);
      if (tries === 1) patience.onWait();
      await delay(patience.pauseMs);
    }
  }
}

function gotNoLock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
}
