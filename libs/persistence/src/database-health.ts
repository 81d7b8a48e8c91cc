import { setTimeout as delay } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Logger, type OnModuleDestroy } from '@nestjs/common';
import { refuseOtherEncodings, warnWithoutTimeLimit } from './database-checks.js';
import type { DatabaseSettings } from './database-settings.js';
import { PendingMigrationsError, pendingMigrations } from './migrator/migrator.js';

/** How long a result is used for later checks, from the start of the check, in milliseconds. */
const FRESH_FOR_MS = 1_000;

/** How long a check may take, in milliseconds. Probes usually give up after two seconds or more. */
const CHECK_WITHIN_MS = 1_500;

/** A check of the database. Concurrent callers share its outcome. */
interface Check {
  /** `performance.now()` at the start of the check. */
  readonly startedAt: number;
  readonly outcome: Promise<void>;
  inFlight: boolean;
}

/** Checks whether the database can serve this version of the service. */
export class DatabaseHealth implements OnModuleDestroy {
  /** Executed migrations stay executed, and so on: what held once is not checked again. */
  private readonly unmet = new Set<() => Promise<unknown>>([
    () => refuseOtherEncodings(this.entityManager),
    () => this.refusePendingMigrations(),
  ]);
  private latest: Check | undefined;

  constructor(
    private readonly orm: MikroORM,
    { preparedStatements }: Pick<DatabaseSettings, 'preparedStatements'>,
  ) {
    const logger = new Logger(DatabaseHealth.name);
    if (!preparedStatements) this.require(() => warnWithoutTimeLimit(this.entityManager, logger));
  }

  /** Adds a condition to every check until it has held once. @param condition rejects with the reason if it does not hold */
  require(condition: () => Promise<unknown>): void {
    this.unmet.add(condition);
  }

  /**
   * Resolves if the database responds, is encoded in UTF8, no migration is pending and every condition holds; otherwise rejects
   * with the reason, within 1.5 s. The database is checked at most once a second, so a result can be a second old.
   */
  check(): Promise<void> {
    const { latest } = this;
    const now = performance.now();
    if (latest !== undefined && (latest.inFlight || now - latest.startedAt < FRESH_FOR_MS)) return latest.outcome;
    const check: Check = { startedAt: now, inFlight: true, outcome: withinLimit(this.ask()) };
    const end = () => (check.inFlight = false);
    check.outcome.then(end, end);
    this.latest = check;
    return check.outcome;
  }

  /** As {@link check}, but always asks the database and has no time limit; for commands. */
  async ask(): Promise<void> {
    if (this.unmet.size === 0) await this.entityManager.execute('select 1');
    for (const condition of this.unmet) {
      await condition();
      this.unmet.delete(condition);
    }
  }

  /** Resolves when no check is running: a pool that is closed during a check may never end. */
  async onModuleDestroy(): Promise<void> {
    await this.latest?.outcome.catch(() => undefined);
  }

  private get entityManager(): SqlEntityManager {
    return this.orm.em.fork() as SqlEntityManager;
  }

  private async refusePendingMigrations(): Promise<void> {
    const pending = await pendingMigrations(this.orm);
    if (pending.length > 0) throw new PendingMigrationsError(pending);
  }
}

/** @throws Error if the response takes too long; a later response is ignored */
async function withinLimit(response: Promise<void>): Promise<void> {
  const over = new AbortController();
  const tooLate = delay(CHECK_WITHIN_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`The database did not respond within ${CHECK_WITHIN_MS} ms`);
  });
  try {
    await Promise.race([response, tooLate]);
  } finally {
    over.abort();
  }
}
