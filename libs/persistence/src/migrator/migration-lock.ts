import { setTimeout as delay } from 'node:timers/promises';
import { UnavailableError } from '../errors/unavailability.js';
import { ADVISORY_LOCKS } from '../sql/advisory-locks.js';

/** Runs SQL without parameters on one connection. @returns the rows, each as an array of its values */
type Query = (sql: string) => Promise<readonly (readonly unknown[])[]>;

export interface Patience {
  /** How long the lock is waited for, in milliseconds. */
  readonly giveUpAfterMs: number;
  /** The pause between two attempts, in milliseconds. */
  readonly pauseMs: number;
  /** Called at the first attempt that fails, and then once per `reportEveryMs`, with a sentence for the operator. */
  readonly report: (sentence: string) => void;
  readonly reportEveryMs: number;
}

/**
 * Ten minutes: as long as a migration waits for a table. The command that gives up can be run again without harm, and says at
 * once who holds the lock.
 */
export const PATIENCE: Patience = {
  giveUpAfterMs: 10 * 60_000,
  pauseMs: 250,
  report: () => undefined,
  reportEveryMs: 30_000,
};

/** Another session held the lock of the migrations for too long. */
export class MigrationLockHeldError extends UnavailableError {
  constructor(waitedMs: number, { description, pid }: Holder) {
    super(
      `Another session has held the lock of the migrations for ${Math.round(waitedMs / 1000)} s: ${description}. ` +
        'It may still be at work, as on a large index: run the command again when it has ended. A session whose program is gone ' +
        `is ended by select pg_terminate_backend(${pid})`,
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
 * @throws MigrationLockHeldError if the lock was not free for `giveUpAfterMs`
 */
export async function takeMigrationLock(query: Query, patience = PATIENCE): Promise<void> {
  const startedAt = performance.now();
  let reportAt = startedAt;
  for (;;) {
    await query('begin');
    const [row] = await query(`select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.migration})`);
    if (row?.[0] === true) break;
    await query('rollback');
    const now = performance.now();
    const isOver = now - startedAt >= patience.giveUpAfterMs;
    if (isOver || now >= reportAt) {
      const holder = await findHolder(query);
      if (isOver && holder !== undefined) throw new MigrationLockHeldError(now - startedAt, holder);
      if (holder !== undefined) patience.report(`Waits for another migration of this database: ${holder.description}.`);
      reportAt = now + patience.reportEveryMs;
    }
    await delay(patience.pauseMs);
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

interface Holder {
  readonly pid: number;
  /** The process, the application and the address. Without `pg_read_all_stats`, the address of other roles is not visible. */
  readonly description: string;
}

/**
 * The session that holds the lock; `undefined` if it has just released it. A lock with one number has the `objsubid` 1, and its
 * number is in `objid` if it has no more than 32 bits.
 */
async function findHolder(query: Query): Promise<Holder | undefined> {
  const [row] = await query(`
    select pid, application_name, host(client_addr) from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and objsubid = 1 and classid = 0 and objid = ${ADVISORY_LOCKS.migration}
      and database = (select oid from pg_database where datname = current_database())`);
  if (row === undefined) return undefined;
  const [pid, application, address] = row as readonly [number, string, string | null];
  const description = `pid ${pid}, application "${application}"${address === null ? '' : `, from ${address}`}`;
  return { pid, description };
}
