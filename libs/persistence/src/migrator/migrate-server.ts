import { MikroORM } from '@mikro-orm/postgresql';
import { refuseOtherEncodings } from '../database-checks.js';
import { errorCode } from '../errors/database-errors.js';
import { UnavailableError } from '../errors/unavailability.js';
import { migrationOptions } from '../mikro-orm.config.js';
import { takeMigrationLock } from './migration-lock.js';
import { LOCK_WAIT_MS, migratorOf } from './migrator.js';

/** MikroORM for the migrations of a server. The caller closes it. */
function openForMigrations(url: string, folders: readonly string[] = []): Promise<MikroORM> {
  return MikroORM.init({ ...migrationOptions(url), extensions: [migratorOf(folders)] });
}

/**
 * Runs every pending migration on a PostgreSQL server, in one process at a time ({@link takeMigrationLock}). A second process
 * waits, and then finds no pending migration. A PgBouncer must have two free connections.
 *
 * @param folders absolute paths of folders with migrations, in addition to those of the libraries
 * @returns the names of the migrations that ran, in order
 * @throws WrongEncodingError if the database is not encoded in UTF8
 * @throws TableInUseError if a migration could not lock its table in time: it was rolled back, those before it stay
 * @throws MigrationLockHeldError if another session held the lock for ten minutes
 */
export async function migrateServer(url: string, folders: readonly string[] = []): Promise<string[]> {
  const orm = await openForMigrations(url, folders);
  try {
    await refuseOtherEncodings(orm.em.fork());
    const pool = await orm.em.getConnection().getNativeClient();
    const client = await pool.connect();
    try {
      await takeMigrationLock(async (text) => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows);
      return (await orm.migrator.up()).map(({ name }) => name);
    } finally {
      // The connection is closed and not returned to the pool. That always ends the transaction and releases the lock.
      client.release(true);
    }
  } catch (error) {
    throw error instanceof Error && errorCode(error) === LOCK_NOT_AVAILABLE ? new TableInUseError(error) : error;
  } finally {
    await orm.close();
  }
}

/** The SQLSTATE of a lock timeout (appendix A, `lock_not_available`). */
const LOCK_NOT_AVAILABLE = '55P03';

/** A migration could not lock its table, because other transactions use the table. */
export class TableInUseError extends UnavailableError {
  constructor(cause: unknown) {
    super(
      `A migration could not lock its table within ${LOCK_WAIT_MS / 1000} s, because a transaction uses it. The migration was rolled ` +
        'back: run the command again. Transactions that are open for long are in pg_stat_activity: ' +
        'select pid, xact_start, query from pg_stat_activity order by xact_start',
      { cause },
    );
  }
}
