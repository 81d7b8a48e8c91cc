import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrateServer } from '@animal-store/persistence';

/** An empty database with the schema of this version, for one test file. */
export interface TestDatabase {
  /** The environment variables that make the service use this database. */
  readonly environment: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** A database on which a test may run SQL of its own. */
export interface ServerDatabase extends TestDatabase {
  readonly url: string;
}

/**
 * An empty database without tables, on the PostgreSQL server of the test run.
 *
 * @param options of `create database`, such as an encoding
 */
export function createServerDatabase(options?: string): Promise<ServerDatabase> {
  return options === undefined ? createDatabase('template1') : createDatabase('template0', options);
}

async function createDatabase(template: string, options = ''): Promise<ServerDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = new URL(fromGlobalSetup('TEST_SERVER_URL'));
  await onServer(`create database "${name}" template "${template}" ${options}`);
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    environment: { DATABASE_URL: url.toString() },
    remove: () => onServer(`drop database "${name}" with (force)`),
  };
}

/**
 * An empty database on the PostgreSQL server of the test run, migrated in the same way as by `npm run db:migrate`.
 *
 * @param migrations folders with further migrations, in addition to those of the libraries
 */
export async function createMigratedDatabase(migrations: readonly string[] = []): Promise<ServerDatabase> {
  const database = await createDatabase(await migratedTemplate());
  if (migrations.length > 0) await migrateServer(database.url, migrations);
  return database;
}

/** The name of a migrated database of this run. The first test that asks for it makes it: migrations take longer than a copy. */
async function migratedTemplate(): Promise<string> {
  const name = fromGlobalSetup('TEST_MIGRATED_TEMPLATE');
  await onServer(async (client) => {
    const isThere = async (database: string) =>
      (await client.query('select from pg_database where datname = $1', [database])).rowCount === 1;
    if (await isThere(name)) return;
    // Workers wait here for the one that migrates. Under its final name the database is whole.
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    if (await isThere(name)) return;
    const { url } = await createServerDatabase();
    await migrateServer(url);
    await client.query(`alter database "${new URL(url).pathname.slice(1)}" rename to "${name}"`);
  });
  return name;
}

/** An empty folder for an embedded database; the service makes and migrates it, which takes some seconds. */
export function createEmbeddedDatabase(): TestDatabase & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  return {
    folder,
    environment: { DATA_DIR: folder },
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

export type CreateDatabase<Database extends TestDatabase = TestDatabase> = () => Database | Promise<Database>;

/**
 * A database for the tests of the surrounding `describe`. The database is created before the first `beforeAll` after
 * this call, and removed after the last test. Until the database is created, the returned object is empty.
 */
export function useDatabase<Database extends TestDatabase>(create: CreateDatabase<Database>): Database {
  const database = {} as Database;
  beforeAll(async () => {
    Object.assign(database, await create());
  });
  afterAll(() => (database.remove as Database['remove'] | undefined)?.());
  return database;
}

/** The client and the database that a `describe` uses. */
export type Used<Client, Database> = Client & { readonly database: Database };

/** Like {@link useDatabase}; also opens `count` clients in turn, and closes them before the database is removed. */
export function useOnDatabase<Client extends { close(): Promise<void> }, Database extends TestDatabase>(
  create: CreateDatabase<Database>,
  count: number,
  open: (database: Database) => Promise<Client>,
): Used<Client, Database>[] {
  const clients = Array.from({ length: count }, () => ({}) as Used<Client, Database>);
  // Whatever fails, what was begun until then is ended, the last first.
  const ends: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const database = await create();
    ends.push(() => database.remove());
    for (const client of clients) {
      const opened = await open(database);
      ends.push(() => opened.close());
      Object.assign(client, opened, { database });
    }
  });
  afterAll(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return clients;
}

function fromGlobalSetup(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error('The global set-up of the tests did not run');
  return value;
}

async function onServer(work: string | ((client: pg.Client) => Promise<void>)): Promise<void> {
  const client = new pg.Client({ connectionString: fromGlobalSetup('TEST_SERVER_URL') });
  await client.connect();
  try {
    if (typeof work === 'string') await client.query(work);
    else await work(client);
  } finally {
    await client.end();
  }
}
