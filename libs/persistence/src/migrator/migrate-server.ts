import { retryOnLockTimeout } from './lock-timeout-retry.js';
import { migrate } from './migrate.js';
import { takeMigrationLock } from './migration-lock.js';
import { openForMigrations } from './open-for-migrations.js';

/** How long a migration is repeated that cannot lock its table, in milliseconds. */
const GIVE_UP_AFTER_MS = 10 * 60_000;
/** The pause between two attempts, in which other transactions can use the table, in milliseconds. */
const PAUSE_MS = 500;

/**
 * {@link migrate} on a PostgreSQL server, in one process at a time ({@link takeMigrationLock}). A second process waits, and
 * then finds no pending migration. A PgBouncer must have two free connections.
 *
 * A migration that cannot lock its table within half a second is rolled back and repeated, so that no other transaction waits
 * longer behind it.
 *
 * @param folders absolute paths of folders with migrations, in addition to those of the libraries
 * @param onWait called once, when a migration is repeated
 * @throws TableInUseError when a migration could not lock its table for ten minutes
 */
export async function migrateServer(
  url: string,
  folders: readonly string[] = [],
  onWait: () => void = () => undefined,
): Promise<string[]> {
  const orm = await openForMigrations(url, folders);
  try {
    const pool = await orm.em.getConnection().getNativeClient();
    const client = await pool.connect();
    try {
      await takeMigrationLock((sql) => client.query(sql));
      const done: string[] = [];
      orm.migrator.on('migrated', ({ name }) => {
        done.push(name);
      });
      // Each migration is a transaction, so an attempt continues with the migration that failed.
      const retry = { giveUpAfterMs: GIVE_UP_AFTER_MS, pauseMs: PAUSE_MS, onWait };
      await retryOnLockTimeout(() => migrate(orm), retry);
      return done;
    } finally {
      // The connection is closed and not returned to the pool. That always ends the transaction and releases the lock.
      client.release(true);
    }
  } finally {
    await orm.close();
  }
}
