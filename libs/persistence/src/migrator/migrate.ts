import type { MikroORM as Orm } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { retryOnLockTimeout } from './lock-timeout-retry.js';
import { postgresOptions, serverOptions } from '../mikro-orm.config.js';
import { takeMigrationLock } from './migration-lock.js';
import { migratorOf } from './migrator.js';

const MIGRATIONS_TABLE = 'mikro_orm_migrations';

/** How long a migration is repeated that cannot lock its table, in milliseconds. */
const GIVE_UP_AFTER_MS = 10 * 60_000;
/** The pause between two attempts, in which other transactions can use the table, in milliseconds. */
const PAUSE_MS = 500;

/** Runs every pending migration. @returns the names of those that ran, in order */
export async function migrate(orm: Orm): Promise<string[]> {
  const done = await orm.migrator.up();
  return done.map(({ name }) => name);
}

/** MikroORM for the migrations of a server. The caller closes it. */
export function openForMigrations(url: string, folders: readonly string[] = []): Promise<MikroORM> {
  // One connection for the lock, one for the migrations. Migrations need no mappings and have no time limits.
  const driverOptions = { ...serverOptions(url).driverOptions, max: 2, application_name: 'animal-store-migrate' };
  const options = { ...postgresOptions(url, 2), extensions: [migratorOf(folders)], driverOptions };
  return MikroORM.init({ ...options, discovery: { warnWhenNoEntities: false } });
}

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

/** The names of the migrations that the database lacks. Changes nothing, not even on an empty database. */
export async function pendingMigrations(orm: Orm): Promise<string[]> {
  const em = orm.em.fork() as SqlEntityManager;
  const [row] = await em.execute<{ found: boolean }[]>(
    `select to_regclass('${MIGRATIONS_TABLE}') is not null as found`,
  );
  // The migrator would create its table, so it is called only if the table exists.
  if (row?.found !== true) return ['all'];
  return (await orm.migrator.getPending()).map(({ name }) => name);
}
