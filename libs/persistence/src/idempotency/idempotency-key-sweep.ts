import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isDatabaseUnavailable } from '../errors/database-errors.js';
import type { Statement, SqlExecutor } from '../sql/sql-executor.js';
import { IDEMPOTENCY_KEY_AGE } from './first-use.js';

/**
 * Removes expired keys, oldest first. `$1`: the maximum number. Rows: one for each removed key. Rows that another instance removes
 * at the same time, and keys that are being used again, are skipped.
 */
export const SWEEP_IDEMPOTENCY_KEYS: Statement = {
  name: 'sweep_idempotency_keys',
  text: `
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at <= now() - ${IDEMPOTENCY_KEY_AGE}
      order by created_at limit $1::integer for update skip locked))
    returning 1`,
};

/** The average time between two sweeps of an instance, in milliseconds. */
const EVERY_MS = 10 * 60_000;

/** The number of keys that one statement removes, so that it takes little time. */
const BATCH = 1_000;

/** Removes expired idempotency keys while the service runs. Expired keys have no effect, even before they are removed. */
export class IdempotencyKeySweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(IdempotencyKeySweep.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly executor: SqlExecutor,
    private readonly everyMs = EVERY_MS,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.sweepRepeatedly();
  }

  /** Resolves when no statement is in flight and none will follow. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Removes all expired keys, in small batches. @returns their number */
  async sweep(): Promise<number> {
    for (let swept = 0; ;) {
      const removed = await this.executor.run(SWEEP_IDEMPOTENCY_KEYS, [BATCH]);
      swept += removed.length;
      if (removed.length < BATCH || this.stopping.signal.aborted) return swept;
    }
  }

  private async sweepRepeatedly(): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      // A random pause, so that instances that started together do not sweep at the same time.
      await delay(this.everyMs * (0.5 + Math.random()), undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await this.sweep().catch((error: unknown) => {
        // If the database is unavailable, requests report that.
        if (!isDatabaseUnavailable(error)) this.logger.warn({ err: error }, 'Idempotency keys could not be swept');
      });
    }
  }
}
