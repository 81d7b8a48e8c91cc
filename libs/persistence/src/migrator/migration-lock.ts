import { ADVISORY_LOCKS } from '../sql/advisory-locks.js';

/** The settings of a role that could end the transaction of the lock before its time. */
const TIME_LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/**
 * Begins a transaction and takes the lock of the migrations in it, or waits for the process that holds the lock. The lock is
 * held until the transaction ends, so it also works through a PgBouncer that pools by transaction. The transaction has no
 * snapshot and no id, so it blocks nothing else.
 *
 * @param query runs SQL on one connection
 */
export async function takeMigrationLock(query: (sql: string) => Promise<unknown>): Promise<void> {
  await query('begin');
  for (const limit of TIME_LIMITS) await query(`set local ${limit} = 0`);
  // Without parameters, `pg` uses the simple protocol. The extended protocol would leave a portal with a snapshot open, and
  // `create index concurrently` would wait for that snapshot until the end of this transaction.
  await query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.migration})`);
}
