import { setTimeout as delay } from 'node:timers/promises';
import { ApiKey, ApiKeyAdministration, generateApiKey, hashApiKey } from '@animal-store/auth';
import { startReplication, type Replication } from '../support/replication.js';
import { startApp, type RunningApp } from '../support/running-app.js';
import { withClient } from '../support/database-client.js';

const LONG_MS = 180_000;

let replication: Replication;
let app: RunningApp;

beforeAll(async () => {
  replication = await startReplication();
  const { primary, standbys } = replication;
  const environment = { DATABASE_URL: primary.url, DATABASE_READ_URL: standbys[0].url };
  app = await startApp({ environment, remove: () => Promise.resolve() });
}, LONG_MS);

afterAll(async () => {
  await app.close();
  await replication.remove();
});

async function createPet(name: string): Promise<string> {
  const created = await app.createPet({ name, categoryId: 1 });
  expect(created.status).toBe(201);
  return created.headers.get('location') ?? '';
}

async function statusOf(path: string): Promise<number> {
  const answer = await app.request(path);
  await answer.arrayBuffer();
  return answer.status;
}

async function untilServed(path: string): Promise<void> {
  while ((await statusOf(path)) !== 200) await delay(50);
}

/** The number of sessions of the service on a server that have read from it. */
async function readersOf(url: string): Promise<number> {
  const { rowCount } = await withClient(url, (client) =>
    client.query(`select from pg_stat_activity where application_name = 'animal-store' and query ilike '%from%pets%'`),
  );
  return rowCount ?? 0;
}

describe('a service that reads from a standby', () => {
  test('reads there, and shows what the standby has replayed', async () => {
    await untilServed(await createPet('replayed'));
    expect(await readersOf(replication.standbys[0].url)).toBeGreaterThan(0);
    await replication.standbys[0].execute('select pg_wal_replay_pause()');
    const path = await createPet('not replayed');
    expect(await statusOf(path)).toBe(404);
    await replication.standbys[0].execute('select pg_wal_replay_resume()');
    await untilServed(path);
  });

  test('accepts a key as soon as it is stored, however late the standby is', async () => {
    await replication.standbys[0].execute('select pg_wal_replay_pause()');
    const key = generateApiKey('test');
    await app.app.get(ApiKeyAdministration, { strict: false }).create(new ApiKey('shop', hashApiKey(key)), 'test');
    const answer = await app.request('/v1/pets', { key });
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
    await replication.standbys[0].execute('select pg_wal_replay_resume()');
  });

  test(
    'fails no read while the standby is killed, shows what only the primary has, and reads there again when it is back',
    async () => {
      const statuses = new Set<number>();
      let running = true;
      const clients = Array.from({ length: 8 }, async () => {
        while (running) statuses.add(await statusOf('/v1/pets?limit=5'));
      });
      await delay(500);
      await replication.standbys[0].stop('SIGQUIT');
      await untilServed(await createPet('without the standby'));
      await delay(1_000);
      await replication.standbys[0].start();
      while ((await readersOf(replication.standbys[0].url)) === 0) await delay(100);
      running = false;
      await Promise.all(clients);
      expect([...statuses]).toEqual([200]);
    },
    LONG_MS,
  );

  test('serves reads while the primary is away, and refuses additions with 503', async () => {
    await replication.primary.stop('SIGQUIT');
    expect(await statusOf('/v1/pets')).toBe(200);
    expect((await app.createPet({ name: 'lost', categoryId: 1 })).status).toBe(503);
    await replication.primary.start();
    expect((await app.createPet({ name: 'found', categoryId: 1 })).status).toBe(201);
  });
});
