import { setTimeout as delay } from 'node:timers/promises';
import { isLockTimeout } from './lock-timeout.js';
import { TableInUseError } from './table-in-use.error.js';

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
      if (!isLockTimeout(error)) throw error;
      const waitedMs = performance.now() - startedAt;
      if (waitedMs >= options.giveUpAfterMs) throw new TableInUseError(waitedMs, error);
      if (tries === 1) options.onWait();
      await delay(options.pauseMs);
    }
  }
}
