import type { MikroORM as Orm } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { ADVISORY_LOCKS } from './advisory-locks.js';
import { postgresOptions, serverOptions } from './mikro-orm.config.js';
import { migratorOf } from './migrator.js';

const MIGRATIONS_TABLE = 'mikro_orm_migrations';

/** Runs every pending migration. @returns the names of those that ran, in order */
export async function migrate(orm: Orm): Promise<string[]> {
  const done = await orm.migrator.up();
  return done.map(({ name }) => name);
}

/**
 * {@link migrate} on a PostgreSQL server, one process at a time: a second one waits, then finds nothing to do.
 * The lock belongs to a transaction that is open meanwhile, so it holds through a PgBouncer that pools by transaction too;
 * that must have two connections to spare. The transaction has no snapshot and no id: it keeps nothing else waiting.
 *
 * @param folders with migrations beside those of the libraries: whole paths
 */
export async function migrateServer(url: string, folders: readonly string[] = []): Promise<string[]> {
  // One connection for the lock, one for the migrations. They need no mappings.
  // A migration takes as long as it takes: the time limits of requests do not hold for it.
  const driverOptions = { ...serverOptions(url).driverOptions, max: 2, application_name: 'animal-store-migrate' };
  const options = { ...postgresOptions(url, 2), extensions: [migratorOf(folders)], driverOptions };
  const orm = await MikroORM.init({ ...options, discovery: { warnWhenNoEntities: false } });
  try {
    const pool = await orm.em.getConnection().getNativeClient();
    const client = await pool.connect();
    try {
      await client.query('begin');
      // Nor do those that the role may have.
      for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
        await client.query(`set local ${limit} = 0`);
      await client.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.migration]);
      return await migrate(orm);
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
