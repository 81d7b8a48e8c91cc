import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isDatabaseUnavailable } from '../errors/database-errors.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import { SWEEP_IDEMPOTENCY_KEYS } from './idempotency.statements.js';

/** How often an instance sweeps, on average, in milliseconds. */
const EVERY_MS = 10 * 60_000;

/** How many keys one statement removes: few enough to be over in a moment. */
const BATCH = 1_000;

/** Removes the idempotency keys that are too old to be used, while the service runs. They are not honoured, swept or not. */
export class IdempotencyKeySweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(IdempotencyKeySweep.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly executor: SqlExecutor,
    private readonly everyMs = EVERY_MS,
  ) {}

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  /** Resolves when no statement is under way and none will follow. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Removes all there are, in small batches. @returns how many */
  async sweep(): Promise<number> {
    let swept = 0;
    for (let full = true; full && !this.isStopping;) {
      const removed = await this.executor.run(SWEEP_IDEMPOTENCY_KEYS, [BATCH]);
      swept += removed.length;
      full = removed.length === BATCH;
    }
    return swept;
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async run(): Promise<void> {
    for (;;) {
      // Instances that were started together shall not stay together.
      const pause = this.everyMs * (0.5 + Math.random());
      await delay(pause, undefined, { signal: this.stopping.signal, ref: false }).catch(() => undefined);
      if (this.isStopping) return;
      await this.sweepQuietly();
    }
  }

  /** While the database is away every request tells so: a sweep that waits for the next time is no news. */
  private async sweepQuietly(): Promise<void> {
    try {
      const swept = await this.sweep();
      this.logger.debug(`Removed ${swept} idempotency keys that were too old to be used`);
    } catch (error) {
      if (isDatabaseUnavailable(error)) this.logger.debug({ err: error }, 'Idempotency keys were not swept this time');
      else this.logger.warn({ err: error }, 'Idempotency keys could not be swept');
    }
  }
}
