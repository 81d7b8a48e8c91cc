import { setTimeout as delay } from 'node:timers/promises';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Injectable } from '@nestjs/common';
import { LookupConnections } from './lookup-connections.js';
import { pendingMigrations } from './migrate.js';
import { PendingMigrationsError } from './pending-migrations.error.js';

/** For how long an answer is given to whoever asks, counted from the question to the database, in milliseconds. */
const ANSWER_FOR_MS = 1_000;

/** How long a check may take, in milliseconds: those who probe give up after two seconds or more. */
const CHECK_WITHIN_MS = 1_500;

/** A question to the database, and who waits for its answer. */
interface Check {
  /** As `performance.now()` tells the time. */
  readonly askedAt: number;
  readonly outcome: Promise<void>;
  underWay: boolean;
}

/** Tells whether the database can serve this version of the service. */
@Injectable()
export class DatabaseHealth {
  /** Migrations only ever get done, so once none was pending none is. */
  private migrated = false;
  private latest: Check | undefined;

  constructor(private readonly connections: LookupConnections) {}

  /**
   * Resolves when the database answers and no migration is pending; rejects with the reason otherwise, within 1.5 s. However
   * many ask, the database is asked once a second at most: what it answered is up to that old.
   */
  check(): Promise<void> {
    const { latest } = this;
    const now = performance.now();
    if (latest !== undefined && (latest.underWay || now - latest.askedAt < ANSWER_FOR_MS)) return latest.outcome;
    const check: Check = { askedAt: now, underWay: true, outcome: withinLimit(this.ask()) };
    const end = () => (check.underWay = false);
    check.outcome.then(end, end);
    this.latest = check;
    return check.outcome;
  }

  /** The same without delay and without a limit: for a command that does it once. */
  async ask(): Promise<void> {
    const { orm } = this.connections;
    if (this.migrated) {
      await (orm.em.fork() as SqlEntityManager).execute('select 1');
      return;
    }
    const pending = await pendingMigrations(orm);
    if (pending.length > 0) throw new PendingMigrationsError(pending);
    this.migrated = true;
  }
}

/** @throws Error when the answer takes too long; what comes of it then is for nobody */
async function withinLimit(answer: Promise<void>): Promise<void> {
  const over = new AbortController();
  const tooLate = delay(CHECK_WITHIN_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`The database did not answer within ${CHECK_WITHIN_MS} ms`);
  });
  try {
    await Promise.race([answer, tooLate]);
  } finally {
    over.abort();
  }
}
