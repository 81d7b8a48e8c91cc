import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isDatabaseUnavailable } from '../errors/database-errors.js';
import { Statements, type Statement } from '../statements.js';
import { IDEMPOTENCY_KEY_AGE } from './mikro-orm-idempotency.js';

/** Removes at most `$1` expired keys, oldest first; a row for each. Skips keys that others remove or use at the same time. */
export const SWEEP_IDEMPOTENCY_KEYS: Statement = {
  name: 'sweep_idempotency_keys',
  text: `
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at <= now() - ${IDEMPOTENCY_KEY_AGE}
      order by created_at limit $1::integer for update skip locked))
    returning 1`,
};

/** The time between two sweeps of an instance, in milliseconds. */
const EVERY_MS = 10 * 60_000;

/** The number of keys that one statement removes, so that it takes little time. */
const BATCH = 1_000;

/** Removes expired idempotency keys, which have no effect even before they are removed. */
@Injectable()
export class IdempotencyKeySweep implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(IdempotencyKeySweep.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly statements: Statements) {}

  onApplicationBootstrap(): void {
    const warn = (error: unknown) => {
      // If the database is unavailable, requests report that.
      if (!isDatabaseUnavailable(error)) this.logger.warn({ err: error }, 'Idempotency keys could not be swept');
    };
    this.timer = setInterval(() => void this.sweep().catch(warn), EVERY_MS).unref();
  }

  /** A sweep that runs ends with the pool. */
  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Removes all expired keys in batches. @returns their number */
  async sweep(): Promise<number> {
    for (let swept = 0; ;) {
      const removed = await this.statements.run(SWEEP_IDEMPOTENCY_KEYS, [BATCH]);
      swept += removed.length;
      if (removed.length < BATCH) return swept;
    }
  }
}
