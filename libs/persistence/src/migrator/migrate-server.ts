import { setTimeout as delay } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/postgresql';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { errorCode } from '../errors/database-errors.js';
import { UnavailableError } from '../errors/unavailability.js';
import { postgresOptions, serverOptions } from '../mikro-orm.config.js';
import { PATIENCE, takeMigrationLock } from './migration-lock.js';
import { LOCK_WAIT_MS, migratorOf } from './migrator.js';

/** How long a migration is repeated that cannot lock its table, in milliseconds. */
const GIVE_UP_AFTER_MS = 10 * 60_000;
/** The pause between two attempts, in which other transactions can use the table, in milliseconds. */
const PAUSE_MS = 500;

const GIVES_WAY =
  'Another transaction uses a table that a migration must lock. The migration was rolled back, and will be tried again.';

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

/** The indexes of this role that PostgreSQL does not use. An index of a partitioned table is not valid until all its parts are. */
const INVALID = `
  select indexrelid::regclass::text as index, indrelid::regclass::text as table
  from pg_index join pg_class on pg_class.oid = indexrelid join pg_namespace on pg_namespace.oid = relnamespace
  where not indisvalid and relkind = 'i' and nspname !~ '^pg_' and pg_has_role(relowner, 'USAGE')`;

/**
 * Drops the invalid indexes that `create index concurrently` leaves behind when it fails or is ended, so that the migration can
 * make the index again. PostgreSQL uses such an index for no query.
 *
 * An index is also invalid while another session builds it, and that session holds a lock on the table. So this waits for
 * that session, at most as long as a migration waits for a lock. A complete index is valid, and stays.
 *
 * @param onDropped called with the name of each dropped index
 * @throws DriverException of a lock timeout when another session builds an index of that table, or uses the table
 */
async function dropInvalidIndexes(orm: MikroORM, onDropped: (index: string) => void): Promise<void> {
  const em = orm.em.fork() as SqlEntityManager;
  for (const { index, table } of await em.execute<{ index: string; table: string }[]>(INVALID)) {
    const isDropped = await em.transactional(async (inside) => {
      await inside.execute(`set local lock_timeout = ${LOCK_WAIT_MS}`);
      await inside.execute(`lock table ${table} in share update exclusive mode`);
      const found = await inside.execute<{ index: string }[]>(INVALID);
      if (!found.some((each) => each.index === index)) return false;
      await inside.execute(`drop index ${index}`);
      return true;
    });
    if (isDropped) onDropped(index);
  }
}

/** The SQLSTATE of a lock timeout (appendix A, `lock_not_available`). */
const LOCK_NOT_AVAILABLE = '55P03';

/** A migration could not lock its table, because other transactions used the table all the time. */
export class TableInUseError extends UnavailableError {
  constructor(waitedMs: number, cause: unknown) {
    super(
      `A migration gave way for ${Math.round(waitedMs / 1000)} s to transactions that use its table all that time. Those that are ` +
        'open for long are in pg_stat_activity: select pid, xact_start, query from pg_stat_activity order by xact_start',
      { cause },
    );
  }
}

export interface RetryOptions {
  /** How long the work is repeated, in milliseconds. */
  readonly giveUpAfterMs: number;
  /** The pause between two attempts, in milliseconds. */
  readonly pauseMs: number;
  /** Called once, before the first repetition. */
  readonly onWait: () => void;
}

/** Runs the work, and repeats it after a lock timeout. @throws TableInUseError if no attempt succeeded in time */
export async function retryOnLockTimeout<Result>(work: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  const startedAt = performance.now();
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || errorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
      const waitedMs = performance.now() - startedAt;
      if (waitedMs >= options.giveUpAfterMs) throw new TableInUseError(waitedMs, error);
      if (tries === 1) options.onWait();
      await delay(options.pauseMs);
    }
  }
}
