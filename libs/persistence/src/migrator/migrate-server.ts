import { MikroORM } from '@mikro-orm/postgresql';
import { postgresOptions, serverOptions } from '../mikro-orm.config.js';
import { dropInvalidIndexes } from './invalid-indexes.js';
import { retryOnLockTimeout } from './lock-timeout.js';
import { PATIENCE, takeMigrationLock } from './migration-lock.js';
import { migratorOf } from './migrator.js';

/** How long a migration is repeated that cannot lock its table, in milliseconds. */
const GIVE_UP_AFTER_MS = 10 * 60_000;
/** The pause between two attempts, in which other transactions can use the table, in milliseconds. */
const PAUSE_MS = 500;

const GIVES_WAY = 'Somebody uses a table that a migration needs for itself: it gives way, and tries again.';

/** MikroORM for the migrations of a server. The caller closes it. */
export function openForMigrations(url: string, folders: readonly string[] = []): Promise<MikroORM> {
  // One connection for the lock, one for the migrations. Migrations need no mappings and have no time limits.
  const driverOptions = { ...serverOptions(url).driverOptions, max: 2, application_name: 'animal-store-migrate' };
  const options = { ...postgresOptions(url, 2), extensions: [migratorOf(folders)], driverOptions };
  return MikroORM.init({ ...options, discovery: { warnWhenNoEntities: false } });
}

/**
 * Runs every pending migration on a PostgreSQL server, in one process at a time ({@link takeMigrationLock}). A second process
 * waits, and then finds no pending migration. A PgBouncer must have two free connections.
 *
 * A migration that cannot lock its table within half a second is rolled back and repeated, so that no other transaction waits
 * longer behind it. An index that an earlier run left invalid is dropped before pending migrations run.
 *
 * @param folders absolute paths of folders with migrations, in addition to those of the libraries
 * @param report gets sentences for the operator: for whom it waits, and what it dropped
 * @returns the names of the migrations that ran, in order
 * @throws TableInUseError when a migration could not lock its table for ten minutes
 * @throws MigrationLockHeldError when another session held the lock for ten minutes
 */
export async function migrateServer(
  url: string,
  folders: readonly string[] = [],
  report: (sentence: string) => void = () => undefined,
): Promise<string[]> {
  const orm = await openForMigrations(url, folders);
  try {
    const pool = await orm.em.getConnection().getNativeClient();
    const client = await pool.connect();
    try {
      const query = async (text: string) => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
      await takeMigrationLock(query, { ...PATIENCE, report });
      const done: string[] = [];
      orm.migrator.on('migrated', ({ name }) => {
        done.push(name);
      });
      const onWait = () => {
        report(GIVES_WAY);
      };
      // Each migration is a transaction, so an attempt continues with the migration that failed.
      await retryOnLockTimeout(() => migratePending(orm, report), {
        giveUpAfterMs: GIVE_UP_AFTER_MS,
        pauseMs: PAUSE_MS,
        onWait,
      });
      return done;
    } finally {
      // The connection is closed and not returned to the pool. That always ends the transaction and releases the lock.
      client.release(true);
    }
  } finally {
    await orm.close();
  }
}

async function migratePending(orm: MikroORM, report: (sentence: string) => void): Promise<void> {
  if ((await orm.migrator.getPending()).length === 0) return;
  await dropInvalidIndexes(orm, (index) => {
    report(`Dropped the index ${index}: an earlier run left it invalid.`);
  });
  await orm.migrator.up();
}
