import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseHealth } from '@animal-store/persistence';
import { createMigratedDatabase, createServerDatabase, type TestDatabase } from '../support/databases.js';
import { sentBy } from '../support/sent-statements.js';
import { openService } from '../support/service-without-http.js';
import { SilenceableProxy } from '../support/silenceable-proxy.js';
import { withClient } from '../support/database-client.js';

const { jest } = import.meta;

/** How long an answer of the database is reused for further checks. */
const ANSWER_FOR_MS = 1_500;

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
  let proxy: SilenceableProxy;
  let health: DatabaseHealth;
  /** How much later it is for the service, in milliseconds. */
  let ahead = 0;

  beforeEach(async () => {
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
    const database = await track(createMigratedDatabase());
    proxy = await SilenceableProxy.open(database.url);
    health = await healthOf({ environment: { DATABASE_URL: proxy.url } });
    // Closed before the service, which would wait for the answers of a silent database.
    opened.push(() => {
      proxy.close();
      return Promise.resolve();
    });
    await health.check();
    passAnswerFor();
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Lets the time pass for which an answer is reused, and then some. */
  function passAnswerFor(): void {
    ahead += 1.2 * ANSWER_FOR_MS;
  }

  test('gets one statement for a thousand who ask at once', async () => {
    const sent = await sentBy(() => Promise.all(Array.from({ length: 1_000 }, () => health.check())));
    expect(sent).toHaveLength(1);
  });

  test('may be silent: those who ask while it takes its time are told together within two seconds, and the next ones anew', async () => {
    proxy.silence();
    for (let round = 0; round < 2; round++) {
      const first = health.check();
      // A timer and not a clock: on a busy machine both timers are late, and in the same order.
      const told = first.then(
        () => 'up',
        () => 'unavailable',
      );
      expect(health.check()).toBe(first);
      expect(await Promise.race([told, delay(2_000, 'too late', { ref: false })])).toBe('unavailable');
      passAnswerFor();
    }
    proxy.speak();
    const isUp = () =>
      health.check().then(
        () => true,
        () => false,
      );
    for (let left = 50; left > 0 && !(await isUp()); left--) {
      passAnswerFor();
      await delay(100);
    }
    expect(await isUp()).toBe(true);
  });
});
