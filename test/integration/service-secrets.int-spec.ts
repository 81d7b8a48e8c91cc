import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseHealth } from '@animal-store/persistence';
import { SecretNotStoredError, ServiceSecrets } from '@animal-store/persistence/secrets';
import { createMigratedDatabase, type ServerDatabase } from '../support/databases.js';
import { allPets, nextPage } from '../support/page-links.js';
import { startApp, type RunningApp } from '../support/running-app.js';
import { useTwoServices } from '../support/service-without-http.js';
import { withClient } from '../support/database-client.js';

describe('the secrets of the service', () => {
  const instances = useTwoServices(createMigratedDatabase);
  let secrets: [ServiceSecrets, ServiceSecrets];

  beforeAll(() => {
    secrets = instances.map((instance) => instance.get(ServiceSecrets)) as typeof secrets;
  });

  test('have 32 bytes, the same when they are asked for again, and others for another name', async () => {
    const first = await secrets[0].get('again');
    expect(first).toHaveLength(32);
    expect(await secrets[1].get('again')).toEqual(first);
    const answers = await Promise.all(['a', 'b', 'A', 'a '].map((name) => secrets[0].get(name)));
    expect(new Set(answers.map((secret) => secret.toString('hex'))).size).toBe(4);
  });

  test('are the same on instances that ask for a new one at once', async () => {
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all([...secrets, ...secrets].map((some) => some.get(`name ${round}`)));
      expect(new Set(answers.map((secret) => secret.toString('hex'))).size).toBe(1);
    }
  });
});

/** A setting of a database holds for sessions that start later. */
const BEGIN = `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`;
const END = `set transaction_read_only = off;
  do $$ begin execute format('alter database %I reset default_transaction_read_only', current_database()); end $$`;

describe('an instance that starts while the database is read only', () => {
  let database: ServerDatabase;
  let app: RunningApp | undefined;

  beforeEach(async () => {
    database = await createMigratedDatabase();
    await execute(`insert into pets (name, category_id, status) select 'Rex', 7, 'sold' from generate_series(1, 250)`);
  });

  afterEach(async () => {
    await app?.close();
    app = undefined;
    await database.remove();
  });

  function execute(statements: string): Promise<unknown> {
    return withClient(database.url, (client) => client.query(statements));
  }

  test('is ready and serves lists with a next page where the secret is stored', async () => {
    const before = await startApp(database);
    const cursor = nextPage(await before.request('/v1/pets'));
    await before.close();
    await execute(BEGIN);
    app = await startApp(database);
    expect((await app.request('/health/ready')).status).toBe(200);
    expect(await allPets(app)).toHaveLength(250);
    expect((await app.request(cursor ?? '')).status).toBe(200);
  });

  test('is not ready and knows why where the secret is not stored, until the database takes writes again', async () => {
    await execute(BEGIN);
    app = await startApp(database);
    const health = app.app.get(DatabaseHealth, { strict: false });
    const refusal = await health.check().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SecretNotStoredError);
    expect(refusal).toMatchObject({
      secret: 'page-cursors',
      cause: { message: expect.stringContaining('cannot execute INSERT in a read-only transaction') as string },
    });
    const ready = await app.request('/health/ready');
    expect(ready.status).toBe(503);
    expect(await ready.text()).not.toMatch(/secret|read-only|space/i);

    await execute(END);
    await execute(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    for (let left = 50; left > 0 && (await app.request('/health/ready')).status !== 200; left--) await delay(100);
    expect((await app.request('/health/ready')).status).toBe(200);
    expect(await allPets(app)).toHaveLength(250);
  });
});
