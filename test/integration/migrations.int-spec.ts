import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MikroORM } from '@mikro-orm/core';
import { DatabaseHealth, migrateServer } from '@animal-store/persistence';
import { migrationFiles } from '../../libs/persistence/src/migrator/migrator.js';
import {
  createMigratedDatabase,
  createServerDatabase,
  useDatabase,
  type ServerDatabase,
  type TestDatabase,
} from '../support/databases.js';
import { startApp } from '../support/running-app.js';
import { useService } from '../support/service-without-http.js';
import { withClient } from '../support/database-client.js';

/** The names of the tables of the service, without the table of its migrations. */
async function tablesOf(url: string): Promise<string[]> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema') and table_name <> 'mikro_orm_migrations'
       order by table_name`,
    ),
  );
  return rows.map(({ name }) => name);
}

describe('the schema', () => {
  const service = useService(createMigratedDatabase);

  test('is the one that the mappings describe', async () => {
    expect(await service.get(MikroORM).schema.getUpdateSchemaSQL()).toBe('');
  });
});

describe('a folder with migrations beside those of the libraries', () => {
  const folder = join(import.meta.dirname, 'migrations-of-a-module');
  const options = { migrations: [folder] };

  /** Starts the service on a new database, runs `ask` on it, and removes both. */
  async function onService<Result>(
    database: TestDatabase,
    ask: (get: (token: typeof DatabaseHealth | typeof MikroORM) => DatabaseHealth | MikroORM) => Promise<Result>,
  ): Promise<Result> {
    const app = await startApp(database, {}, options);
    try {
      return await ask((token) => app.app.get<DatabaseHealth | MikroORM>(token, { strict: false }));
    } finally {
      await app.close();
      await database.remove();
    }
  }

  test('is migrated with the libraries, all in order of name', async () => {
    const database = await createServerDatabase();
    const done = await migrateServer(database.url, [folder]);
    const tables = await tablesOf(database.url);
    await database.remove();
    expect(done).toEqual([...done].sort());
    expect(done.slice(0, 2)).toEqual(['20261120000000_initial_schema', '20261121050000_gifts']);
    expect(tables).toContain('gifts');
  });

  test('is migrated where the libraries were before, by what is missing alone', async () => {
    const database = await createMigratedDatabase();
    const done = await migrateServer(database.url, [folder]);
    await database.remove();
    expect(done).toEqual(['20261121050000_gifts']);
  });

  test('keeps a service from being ready while it is pending', async () => {
    const health = onService(await createMigratedDatabase(), (get) => (get(DatabaseHealth) as DatabaseHealth).check());
    await expect(health).rejects.toThrow('Migrations are pending: 20261121050000_gifts. Run npm run db:migrate');
  });
});

describe('a migration of a table in use', () => {
  const folder = join(import.meta.dirname, 'migrations-in-use');
  const ALTERS = '20991231000000_mood';
  const MAKES_AN_INDEX = '20991231000001_mood_index';
  let database: ServerDatabase;

  beforeEach(async () => {
    database = await createMigratedDatabase();
  });

  afterEach(async () => {
    await database.remove();
  });

  test('is given up in a sentence while a transaction keeps the table, and done when it is run again', async () => {
    await withClient(database.url, async (reader) => {
      // A backup holds such a lock for its whole duration.
      await reader.query('begin; lock table pets in access share mode');
      await expect(migrateServer(database.url, [folder])).rejects.toThrow(
        /could not lock its table within 2 s.*pg_stat_activity/,
      );
    });
    expect(await migrateServer(database.url, [folder])).toEqual([ALTERS, MAKES_AN_INDEX]);
  });
});

describe('a database that is not encoded in UTF8', () => {
  const database = useDatabase(() => createServerDatabase("encoding 'LATIN1' locale 'C'"));

  test('is not migrated, and told how to make another', async () => {
    await expect(migrateServer(database.url)).rejects.toThrow(
      /^The database is encoded in LATIN1 and not in UTF8.*create database .* encoding 'UTF8' locale/,
    );
    expect(await tablesOf(database.url)).toEqual([]);
  });

  test('keeps an instance from being ready', async () => {
    const app = await startApp(database);
    const check = app.app.get(DatabaseHealth, { strict: false }).check();
    await expect(check).rejects.toThrow('is encoded in LATIN1');
    expect((await app.request('/health/ready')).status).toBe(503);
    await app.close();
  });
});

describe('the files of the migrations', () => {
  let folder: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(join(tmpdir(), 'animal-store-migrations-'));
  });

  afterEach(() => {
    fs.rmSync(folder, { recursive: true });
  });

  function write(...paths: string[]): string[] {
    const files = paths.map((path) => join(folder, path));
    for (const file of files) {
      fs.mkdirSync(dirname(file), { recursive: true });
      fs.writeFileSync(file, '');
    }
    return files;
  }

  test('are those of every library, at any depth of its sources, in order of name', () => {
    const [second, third, first] = write(
      'persistence/src/migrations/2_two.js',
      'store-orders/src/migrations/3_three.ts',
      'walks/src/persistence/deep/migrations/1_one.js',
    );
    expect(migrationFiles([], folder)).toEqual([first, second, third]);
  });

  test('are no maps, and nothing that has no number or lies elsewhere', () => {
    write(
      'a/src/migrations/1_one.js.map',
      'a/src/migrations/helpers.js',
      'a/test/migrations/1_one.js',
      'a/src/1_one.js',
    );
    expect(migrationFiles([], folder)).toEqual([]);
  });

  test('are counted once where a folder that is handed in is one of a library', () => {
    const [file] = write('a/src/migrations/1_one.js');
    expect(migrationFiles([join(folder, 'a/src/migrations')], folder)).toEqual([file]);
  });
});
