import type { MikroORM as Orm } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { retryOnLockTimeout } from './lock-timeout-retry.js';
import { postgresOptions, serverOptions } from './mikro-orm.config.js';
import { migratorOf } from './migrator.js';

const MIGRATIONS_TABLE = 'mikro_orm_migrations';

/** How long a migration gives way to others who use its table, and how long they go first each time, in milliseconds. */
const GIVE_UP_AFTER_MS = 10 * 60_000;
const OTHERS_GO_FIRST_MS = 500;

/** Runs every pending migration. @returns the names of those that ran, in order */
export async function migrate(orm: Orm): Promise<string[]> {
  const done = await orm.migrator.up();
  return done.map(({ name }) => name);
}

/** MikroORM for the migrations of a server. The caller closes it. */
export function openForMigrations(url: string, folders: readonly string[] = []): Promise<MikroORM> {
  // One connection for the lock, one for the migrations. They need no mappings.
  // A migration takes as long as it takes: the time limits of requests do not hold for it.
  const driverOptions = { ...serverOptions(url).driverOptions, max: 2, application_name: 'animal-store-migrate' };
  const options = { ...postgresOptions(url, 2), extensions: [migratorOf(folders)], driverOptions };
  return MikroORM.init({ ...options, discovery: { warnWhenNoEntities: false } });
}

/**
 * {@link migrate} on a PostgreSQL server, one process at a time: a second one waits, then finds nothing to do.
 * The lock belongs to a transaction that is open meanwhile, so it holds through a PgBouncer that pools by transaction too;
 * that must have two connections to spare. The transaction has no snapshot and no id: it keeps nothing else waiting.
 *
 * A migration that gets no lock within half a second lets go and tries again, so that nobody waits behind it for longer.
 *
 * @param folders with migrations beside those of the libraries: whole paths
 * @param onWait called once, when a migration tries again
 * @throws TableInUseError when one has given way for ten minutes
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
      await client.query('begin');
      // Nor do those that the role may have.
      for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
        await client.query(`set local ${limit} = 0`);
      // Without parameters, so by the simple protocol: the other one leaves a portal behind, and its snapshot with it, for which
      // `create index concurrently` would wait until the end of this transaction.
      await client.query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.migration})`);
      const done: string[] = [];
      orm.migrator.on('migrated', ({ name }) => {
        done.push(name);
      });
      // Again from the one that gave way: each is done, or not, by itself.
      const patience = { giveUpAfterMs: GIVE_UP_AFTER_MS, pauseMs: OTHERS_GO_FIRST_MS, onWait };
      await retryOnLockTimeout(() => migrate(orm), patience);
      return done;
    } finally {
      // Not returned to the pool: closing the connection ends the transaction and gives the lock back, whatever happened.
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
  // The migrator would make its table, so it is asked only where the table exists.
  if (row?.found !== true) return ['all'];
  return (await orm.migrator.getPending()).map(({ name }) => name);
}
