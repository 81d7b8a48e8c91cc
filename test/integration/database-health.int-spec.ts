import { DatabaseHealth, migrateServer } from '@animal-store/persistence';
import { createMigratedDatabase, createServerDatabase, DATABASES, type TestDatabase } from '../support/databases.js';
import { openService } from '../support/service.js';
import { tablesOf, withClient } from '../support/sql.js';

/** What a test opened, the last one first. */
const opened: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function track<Database extends TestDatabase>(creation: Promise<Database>): Promise<Database> {
  const database = await creation;
  opened.push(() => database.remove());
  return database;
}

async function healthOf(database: Pick<TestDatabase, 'environment'>): Promise<DatabaseHealth> {
  const service = await openService(database);
  opened.push(() => service.close());
  return service.get(DatabaseHealth);
}

describe('the health of a database', () => {
  test.each(DATABASES)('is good on $name when it is migrated', async ({ create }) => {
    const health = await healthOf(await track(create()));
    await expect(health.check()).resolves.toBeUndefined();
  });

  test('is bad while every migration is pending', async () => {
    const health = await healthOf(await track(createServerDatabase()));
    await expect(health.check()).rejects.toThrow(/^Migrations are pending: .*Run npm run db:migrate$/);
  });

  test('changes nothing in a database without tables', async () => {
    const database = await track(createServerDatabase());
    const health = await healthOf(database);
    await health.check().catch(() => undefined);
    const { rows } = await withClient(database.url, (client) =>
      client.query(`select 1 from information_schema.tables where table_schema = 'public'`),
    );
    expect(rows).toEqual([]);
  });

  test('is bad while one migration is pending, and names it', async () => {
    const database = await track(createMigratedDatabase());
    const health = await healthOf(database);
    await withClient(database.url, (client) => client.query('delete from mikro_orm_migrations'));
    await expect(health.check()).rejects.toThrow('Migrations are pending: 20261120000000_initial_schema');
  });

  test('is good as soon as somebody else has migrated', async () => {
    const database = await track(createServerDatabase());
    const health = await healthOf(database);
    await health.check().catch(() => undefined);
    await migrateServer(database.url);
    await expect(health.check()).resolves.toBeUndefined();
  });

  test('is never made good by asking', async () => {
    const database = await track(createServerDatabase());
    const health = await healthOf(database);
    await health.check().catch(() => undefined);
    await health.check().catch(() => undefined);
    expect(await tablesOf(database.url)).toEqual([]);
  });

  test('is bad when there is no server', async () => {
    const health = await healthOf({ environment: { DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/test' } });
    await expect(health.check()).rejects.toThrow(/ECONNREFUSED/);
  });

  test('is bad when the database went away after it was good', async () => {
    const database = await createMigratedDatabase();
    const health = await healthOf(database);
    await health.check();
    await database.remove();
    await expect(health.check()).rejects.toThrow();
  });
});
