import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrateServer } from '@animal-store/persistence';

/** An empty database of the schema of this version, for one test file. */
export interface TestDatabase {
  /** The environment variables that make the service use it. */
  readonly environment: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** One that a test may use by SQL of its own. */
export interface ServerDatabase extends TestDatabase {
  readonly url: string;
}

/** An empty database on the PostgreSQL server of the run, without any table. */
export async function createServerDatabase(): Promise<ServerDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = new URL(fromGlobalSetup('TEST_SERVER_URL'));
  await onServer(`create database "${name}"`);
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    // TEST_DATABASE_URL may lead to another machine, and some tests run as production does.
    environment: { DATABASE_URL: url.toString(), DATABASE_ALLOW_UNENCRYPTED: 'true' },
    remove: () => onServer(`drop database "${name}" with (force)`),
  };
}

/**
 * An empty database on the PostgreSQL server of the run, migrated as `npm run db:migrate` does.
 *
 * @param migrations folders with migrations beside those of the libraries
 */
export async function createMigratedDatabase(migrations: readonly string[] = []): Promise<ServerDatabase> {
  const database = await createServerDatabase();
  await migrateServer(database.url, migrations);
  return database;
}

/** An empty embedded database, in a folder of its own; the service migrates it. */
export function createEmbeddedDatabase(): TestDatabase & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  // To make one takes seconds, to copy one a moment.
  cpSync(fromGlobalSetup('TEST_EMBEDDED_TEMPLATE'), folder, { recursive: true });
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

/** The databases that every promise of the service holds on, for `describe.each`. */
export const DATABASES = databasesWith();

/** The same for a service that has these folders with migrations beside those of the libraries. */
export function databasesWith(
  ...migrations: readonly string[]
): readonly { name: string; create: () => Promise<TestDatabase> }[] {
  return [
    { name: 'PostgreSQL', create: () => createMigratedDatabase(migrations) },
    { name: 'the embedded database', create: () => Promise.resolve(createEmbeddedDatabase()) },
  ];
}

/**
 * A database for the tests of the surrounding `describe`: there before its first `beforeAll` after this call, removed
 * after its last test. Until then the object is empty.
 */
export function useDatabase<Database extends TestDatabase>(create: CreateDatabase<Database>): Database {
  const database = {} as Database;
  beforeAll(async () => {
    Object.assign(database, await create());
  });
  afterAll(() => database.remove());
  return database;
}

/** What a `describe` uses on a database of its own. */
export type Used<Client, Database> = Client & { readonly database: Database };

/** As {@link useDatabase}, with `count` clients opened on the database one after the other; they close before it goes. */
export function useOnDatabase<Client extends { close(): Promise<void> }, Database extends TestDatabase>(
  create: CreateDatabase<Database>,
  count: number,
  open: (database: Database) => Promise<Client>,
): Used<Client, Database>[] {
  const clients = Array.from({ length: count }, () => ({}) as Used<Client, Database>);
  beforeAll(async () => {
    const database = await create();
    for (const client of clients) Object.assign(client, await open(database), { database });
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await clients[0]?.database.remove();
  });
  return clients;
}

function fromGlobalSetup(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error('The global set-up of the tests did not run');
  return value;
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: fromGlobalSetup('TEST_SERVER_URL') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
