import { setTimeout as delay } from 'node:timers/promises';
import { ApiKey, ApiKeys, generateApiKey, hashApiKey } from '@animal-store/auth';
import { ReplicaWatch } from '@animal-store/persistence';
import '../support/cross-realm-errors.js';
import { startReplication, type Replication } from '../support/replication.js';
import { Scrape, WITH_METRICS } from '../support/scraped-metrics.js';
import { startApp, type RunningApp } from '../support/running-app.js';
import { withClient } from '../support/database-client.js';
import { printFigures } from '../support/print-figures.js';

const ROUNDS = 300;
const LONG_MS = 180_000;

let replication: Replication;
let app: RunningApp;

beforeAll(async () => {
  replication = await startReplication();
  const { primary, standbys } = replication;
  const environment = {
    DATABASE_URL: primary.url,
    DATABASE_REPLICA_URLS: standbys.map(({ url }) => url).join(','),
  };
  app = await startApp({ environment, remove: () => Promise.resolve() }, WITH_METRICS);
  await untilInUse(2);
}, LONG_MS);

afterAll(async () => {
  await app.close();
  await replication.remove();
});

function replicasInUse(): number {
  return app.app.get(ReplicaWatch, { strict: false }).inUse.length;
}

/** For each standby, whether it serves requests and how far it lags behind, according to the metrics. */
async function replicaMetrics(): Promise<(number | undefined)[][]> {
  const scrape = await Scrape.of(app.app);
  return replication.standbys.map(({ url }) =>
    ['serving', 'lag_seconds'].map((name) =>
      scrape.value(`animal_store_replica_${name}`, { replica: new URL(url).host }),
    ),
  );
}

async function untilInUse(count: number): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (replicasInUse() !== count) {
    if (Date.now() > deadline) throw new Error(`${replicasInUse()} replicas are in use, and not ${count}`);
    await delay(50);
  }
}

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

/** Repeatedly adds a pet and immediately reads it by its id. @returns how often the pet was not found */
async function missedAfterCreation(rounds: number): Promise<number> {
  let missed = 0;
  for (let round = 0; round < rounds; round += 1) {
    const path = await createPet(`round ${round}`);
    if ((await statusOf(path)) !== 200) missed += 1;
  }
  return missed;
}

/** Sets how commits wait for the standbys. The setting applies as soon as the connections of the service have received it. */
async function setCommits(commit: 'on' | 'remote_apply', standbys: string): Promise<void> {
  const { primary } = replication;
  await primary.execute(`alter system set synchronous_commit = ${commit}`);
  await primary.execute(`alter system set synchronous_standby_names = '${standbys}'`);
  await primary.execute('select pg_reload_conf()');
  await delay(1_000);
}

/** The number of reads of the table of pets on the standbys. */
async function readsOnStandbys(): Promise<number> {
  let sum = 0;
  for (const { url } of replication.standbys) {
    const { rows } = await withClient(url, (client) =>
      client.query<{ count: string }>(
        "select seq_scan + coalesce(idx_scan, 0) as count from pg_stat_user_tables where relname = 'pets'",
      ),
    );
    sum += Number(rows[0]?.count);
  }
  return sum;
}

/**
 * Waits for the expected number of reads, or for a time limit. A session reports its reads within 10 seconds after it becomes
 * idle.
 */
async function readsOnStandbysSince(before: number, expected: number): Promise<number> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const read = (await readsOnStandbys()) - before;
    if (read >= expected || Date.now() > deadline) return read;
    await delay(200);
  }
}

describe('on a primary with two standbys', () => {
  test(
    'no read is stale where commits wait until every standby shows them',
    async () => {
      await setCommits('remote_apply', 'FIRST 2 (standby1, standby2)');
      const before = await readsOnStandbys();
      const missed = await missedAfterCreation(ROUNDS);
      const read = await readsOnStandbysSince(before, ROUNDS);
      expect(missed).toBe(0);
      expect(read).toBeGreaterThanOrEqual(ROUNDS);
      printFigures('No read is stale through DATABASE_REPLICA_URLS where commits wait until every standby shows them', {
        reads: ROUNDS,
        stale: missed,
      });
    },
    LONG_MS,
  );

  test(
    'a read may be stale where commits do not wait',
    async () => {
      await setCommits('on', '');
      const { standbys } = replication;
      for (const standby of standbys) await standby.execute('select pg_wal_replay_pause()');
      const path = await createPet('not replayed');
      expect(await statusOf(path)).toBe(404);
      for (const standby of standbys) await standby.execute('select pg_wal_replay_resume()');
    },
    LONG_MS,
  );

  test('a key is accepted as soon as it is stored, however late the standbys are', async () => {
    const { standbys } = replication;
    for (const standby of standbys) await standby.execute('select pg_wal_replay_pause()');
    const key = generateApiKey('test');
    await app.app.get(ApiKeys, { strict: false }).put(new ApiKey('shop', hashApiKey(key)));
    const answer = await app.request('/v1/pets', { key });
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
    for (const standby of standbys) await standby.execute('select pg_wal_replay_resume()');
  });

  test(
    'standbys that fall behind are left after ten seconds or so, and used again when they have caught up',
    async () => {
      await untilInUse(2);
      for (const standby of replication.standbys) await standby.execute('select pg_wal_replay_pause()');
      const path = await createPet('behind');
      const before = Date.now();
      while ((await statusOf(path)) !== 200) await delay(100);
      expect(Date.now() - before).toBeLessThan(20_000);
      expect(replicasInUse()).toBe(0);
      for (const [serving, lag] of await replicaMetrics()) {
        expect(serving).toBe(0);
        expect(lag).toBeGreaterThanOrEqual(9);
      }
      for (const standby of replication.standbys) await standby.execute('select pg_wal_replay_resume()');
      await untilInUse(2);
      for (const [serving, lag] of await replicaMetrics()) {
        expect(serving).toBe(1);
        expect(lag).toBeLessThan(2);
      }
    },
    LONG_MS,
  );

  test(
    'no read fails while a standby is killed, and it is used again when it is back',
    async () => {
      const [first] = replication.standbys;
      const statuses = new Map<number, number>();
      let running = true;
      const clients = Array.from({ length: 8 }, async () => {
        while (running) {
          const status = await statusOf('/v1/pets?limit=5');
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      });
      await delay(500);
      await first.stop('SIGQUIT');
      await untilInUse(1);
      await delay(1_000);
      await first.start();
      await untilInUse(2);
      running = false;
      await Promise.all(clients);
      expect([...statuses.keys()]).toEqual([200]);
    },
    LONG_MS,
  );

  test('with the primary away reads are served, and additions are refused with 503', async () => {
    await replication.primary.stop('SIGQUIT');
    expect(await statusOf('/v1/pets')).toBe(200);
    expect((await app.createPet({ name: 'lost', categoryId: 1 })).status).toBe(503);
    await replication.primary.start();
    expect((await app.createPet({ name: 'found', categoryId: 1 })).status).toBe(201);
  });
});
