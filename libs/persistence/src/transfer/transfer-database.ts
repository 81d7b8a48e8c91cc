import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MikroORM, type MikroORM as Orm, type Options } from '@mikro-orm/core';
import { MikroORM as PostgreSqlMikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import type { DatabaseSettings } from '../database-settings.js';
import { EmbeddedDatabase } from '../embedded/embedded-database.js';
import { APPLICATION_NAME, embeddedOptions, postgresOptions, serverOptions } from '../mikro-orm.config.js';
import { takeMigrationLock } from '../migrator/migration-lock.js';
import { migratorOf } from '../migrator/migrator.js';
import type { ImportTarget } from './import-database.js';
import type { Session, Text } from './session.js';
import { DatabaseInServiceError, NoDatabaseError } from './transfer.errors.js';

/** The database and its migrations. */
export type TransferPlace = Pick<DatabaseSettings, 'url' | 'dataDir' | 'migrations'>;

/** A database that is open for an export or an import. */
export interface TransferDatabase extends ImportTarget {
  /**
   * Prevents migrations and other imports until the database is closed.
   *
   * @throws DatabaseInServiceError if the service has connections to the database
   */
  claim(): Promise<void>;
  close(): Promise<void>;
}

/** The time limit for getting a connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;

/** One connection for the data, one for migrations, one for the lock. */
const CONNECTIONS = 3;

/** A PostgreSQL server. */
export async function openServer(url: string, folders: readonly string[] = []): Promise<TransferDatabase> {
  const orm = await PostgreSqlMikroORM.init({
    ...postgresOptions(url, CONNECTIONS),
    ...migrating(folders),
    driverOptions: {
      ...serverOptions(url).driverOptions,
      max: CONNECTIONS,
      application_name: `${APPLICATION_NAME}-transfer`,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    },
  });
  const clients: pg.PoolClient[] = [];
  const connect = async (): Promise<Session> => {
    const pool = await orm.em.getConnection().getNativeClient();
    const client = await pool.connect();
    clients.push(client);
    // The current or the next statement fails with the same error.
    client.on('error', () => undefined);
    return {
      query: async (text, values = []) => {
        const { rows } = await client.query<Text[]>({ text, values: [...values], rowMode: 'array' });
        return rows;
      },
    };
  };
  const close = async () => {
    // The connections are closed and not returned to the pool, which ends open transactions.
    for (const client of clients) client.release(true);
    await orm.close();
  };
  try {
    const session = await connect();
    return { session, ...migrations(orm), close, claim: async () => claim(await connect()) };
  } catch (error) {
    await close();
    throw error;
  }
}

/** An embedded database. @throws FolderInUseError if another process has it open */
export async function openEmbedded(dataDir: string, folders: readonly string[] = []): Promise<TransferDatabase> {
  const database = await EmbeddedDatabase.open(dataDir);
  const orm = await MikroORM.init({ ...embeddedOptions(database), ...migrating(folders) });
  const { pglite } = database;
  const session: Session = {
    query: async (text, values = []) => (await pglite.query<Text[]>(text, [...values], { rowMode: 'array' })).rows,
  };
  return {
    session,
    ...migrations(orm),
    // This process already holds the lock of the folder.
    claim: () => Promise.resolve(),
    close: () => database.onApplicationShutdown(),
  };
}

/** @throws NoDatabaseError if there is no database. Opening it would create one. */
export function refuseMissing(dataDir: string): void {
  if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) throw new NoDatabaseError(resolve(dataDir));
}

/** Takes the lock of the migrations. @throws DatabaseInServiceError if the service has connections to the database */
async function claim(session: Session): Promise<void> {
  await takeMigrationLock((sql) => session.query(sql));
  const [row] = await session.query(
    `select count(*)::text from pg_stat_activity
     where datname = current_database() and (application_name = $1::text or application_name like $1::text || ' (%')`,
    [APPLICATION_NAME],
  );
  if (row?.[0] !== '0') throw new DatabaseInServiceError(Number(row?.[0]));
}

function migrating(folders: readonly string[]) {
  return { extensions: [migratorOf(folders)], discovery: { warnWhenNoEntities: false } } satisfies Partial<Options>;
}

function migrations(orm: Orm): Pick<ImportTarget, 'availableMigrations' | 'migrate'> {
  return {
    availableMigrations: async () => {
      const known = [...(await orm.migrator.getExecuted()), ...(await orm.migrator.getPending())];
      return known.map(({ name }) => name.replace(/\.[jt]s$/, ''));
    },
    migrate: async (names) => {
      await orm.migrator.up(names === undefined ? undefined : { migrations: [...names] });
    },
  };
}
