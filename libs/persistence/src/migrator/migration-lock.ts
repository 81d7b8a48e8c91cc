import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableError } from '../errors/unavailability.js';
import { ADVISORY_LOCKS } from '../sql/advisory-locks.js';

/** Runs SQL without parameters on one connection. @returns the rows, each as an array of its values */
type Query = (sql: string) => Promise<readonly (readonly unknown[])[]>;

/** How long the lock is waited for, and the pause between two attempts, in milliseconds. */
const PATIENCE = { giveUpAfterMs: 10 * 60_000, pauseMs: 250 };

/** Another session held the lock of the migrations for too long. */
export class MigrationLockHeldError extends UnavailableError {
  constructor(waitedMs: number) {
    super(
      `Another migration of this database has been running for ${Math.round(waitedMs / 1000)} s. ` +
        'Run the command again when it has ended',
    );
  }
}

/**
 * Begins a transaction and takes the lock of the migrations in it. While another session holds the lock, this one tries again
 * and again, and has no statement and no transaction in the pauses. A session that waited inside of a statement would hold a
 * snapshot; `create index concurrently` of the session with the lock would wait for that snapshot, and both would wait for ever.
 *
 * The lock is held until the transaction ends, and not until the session ends, so it also works through a PgBouncer that pools by
 * transaction. The transaction has no snapshot and no id, so it blocks nothing else.
 *
 * @param query must use the simple protocol, as `pg` does without parameters. The extended protocol would leave a portal with a
 *   snapshot open, and `create index concurrently` would wait for that snapshot until the end of the transaction.
 * @throws MigrationLockHeldError if the lock was not free for ten minutes
 */
export async function takeMigrationLock(query: Query, { giveUpAfterMs, pauseMs } = PATIENCE): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    await query('begin');
    const [row] = await query(`select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.migration})`);
    if (row?.[0] === true) break;
    await query('rollback');
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= giveUpAfterMs) throw new MigrationLockHeldError(waitedMs);
    await delay(pauseMs);
  }
  await query(WITHOUT_TIME_LIMITS);
}

/**
 * Sets the settings to 0 with which a role could end the transaction of the lock before its time. PostgreSQL has
 * `transaction_timeout` since version 17, so the names are looked up.
 */
export const WITHOUT_TIME_LIMITS = `
  select set_config(name, '0', true) from pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;
