import { setTimeout as delay } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { refuseOtherEncodings } from '../database-health.js';
import { errorCode } from '../errors/database-errors.js';
import { UnavailableError } from '../errors/translate-database-error.js';
import { migrationOptions } from '../mikro-orm.config.js';
import { ADVISORY_LOCKS } from '../transactions/lock-additions.js';
import { LOCK_WAIT_MS } from './migrator.js';

/**
 * Runs every pending migration on a PostgreSQL server, in one process at a time: a second one waits and then finds none
 * pending.
 *
 * @param folders absolute paths of folders with migrations, in addition to those of the libraries
 * @returns the names of the migrations that ran, in order
 * @throws TableInUseError: the migrations before it stay
 */
export async function migrateServer(url: string, folders: readonly string[] = []): Promise<string[]> {
  const orm = await MikroORM.init(await migrationOptions(url, folders));
  try {
    await refuseOtherEncodings(orm.em.fork());
    const pool = await orm.em.getConnection().getNativeClient();
    const client = await pool.connect();
    try {
      await takeMigrationLock(client);
      return (await orm.migrator.up()).map(({ name }) => name);
    } finally {
      // Closing the connection, instead of returning it to the pool, releases the lock.
      client.release(true);
    }
  } catch (error) {
    const isLockTimeout = error instanceof Error && errorCode(error) === '55P03';
    throw isLockTimeout ? new TableInUseError(error) : error;
  } finally {
    await orm.close();
  }
}

/** A migration could not lock its table, because other transactions use the table. */
export class TableInUseError extends UnavailableError {
  constructor(cause: unknown) {
    super(
      `A migration could not lock its table within ${LOCK_WAIT_MS / 1000} s, because a transaction uses it. It was rolled back: ` +
        'run the command again. Transactions that are open for long are in pg_stat_activity, by xact_start',
      { cause },
    );
  }
}

/** The pause between two attempts to take the lock, in milliseconds. */
const PAUSE_MS = 250;

/**
 * Takes the lock of the migrations until the end of the session, and leaves no transaction open. It tries again and again: a
 * session that waited inside a statement would hold a snapshot, for which `create index concurrently` of the other one would
 * wait, and both would wait for ever.
 */
export async function takeMigrationLock(client: pg.ClientBase): Promise<void> {
  // The session is idle while the migrations run, and a role may have a limit for that.
  await client.query('set idle_session_timeout = 0');
  const lock = `select pg_try_advisory_lock(${ADVISORY_LOCKS.migration}) as is_mine`;
  for (;;) {
    const { rows } = await client.query<{ is_mine: boolean }>(lock);
    if (rows[0]?.is_mine === true) return;
    await delay(PAUSE_MS);
  }
}
