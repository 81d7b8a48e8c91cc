import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseHealth } from '@animal-store/persistence';
import { createMigratedDatabase, createServerDatabase, type TestDatabase } from '../support/databases.js';
import { sentBy } from '../support/sent-statements.js';
import { openService } from '../support/service-without-http.js';
import { SilenceableProxy } from '../support/silenceable-proxy.js';
import { withClient } from '../support/database-client.js';

/** How long an answer of the database is reused for further checks. */
const ANSWER_FOR_MS = 1_000;

/** Closes what a test opened, in reverse order. */
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
  test('is good when it is migrated', async () => {
    const health = await healthOf(await track(createMigratedDatabase()));
    await expect(health.check()).resolves.toBeUndefined();
  });

  test('is bad while every migration is pending, and asking changes nothing', async () => {
    const database = await track(createServerDatabase());
    const health = await healthOf(database);
    await expect(health.check()).rejects.toThrow(/^Migrations are pending: .*Run npm run db:migrate$/);
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
});

describe('the database, asked for its health', () => {
  /** The number of statements that the work sends. */
  async function statementsOf(work: () => Promise<unknown>): Promise<number> {
    return (await sentBy(work)).length;
  }

  test('gets one statement for a thousand who ask at once', async () => {
    const health = await healthOf(await track(createMigratedDatabase()));
    await health.check();
    await delay(ANSWER_FOR_MS);
    expect(await statementsOf(() => Promise.all(Array.from({ length: 1_000 }, () => health.check())))).toBe(1);
  });

  /** The health of a database that has been checked once. The proxy can make the database silent. */
  async function healthBehindProxy() {
    const database = await track(createMigratedDatabase());
    const proxy = await SilenceableProxy.open(database.url);
    const health = await healthOf({ environment: { DATABASE_URL: proxy.url } });
    // Closed before the service, which would wait for the answers of a silent database.
    opened.push(() => {
      proxy.close();
      return Promise.resolve();
    });
    await health.check();
    return { proxy, health };
  }

  test('is asked once by those who come while it takes its time to answer', async () => {
    const { proxy, health } = await healthBehindProxy();
    await delay(ANSWER_FOR_MS);
    proxy.silence();
    const first = health.check();
    const outcome = first.catch(() => undefined);
    await delay(1.2 * ANSWER_FOR_MS);
    expect(health.check()).toBe(first);
    await outcome;
  });

  test('may be silent: those who ask are told within two seconds, and the next ones anew', async () => {
    const { proxy, health } = await healthBehindProxy();
    proxy.silence();
    await delay(ANSWER_FOR_MS);
    for (let round = 0; round < 2; round++) {
      // A timer and not a clock: on a busy machine both timers are late, and in the same order.
      const told = health.check().then(
        () => 'up',
        () => 'unavailable',
      );
      expect(await Promise.race([told, delay(2_000, 'too late', { ref: false })])).toBe('unavailable');
    }
    proxy.speak();
    const isUp = () =>
      health.check().then(
        () => true,
        () => false,
      );
    for (let left = 50; left > 0 && !(await isUp()); left--) await delay(100);
    expect(await isUp()).toBe(true);
  });
});
