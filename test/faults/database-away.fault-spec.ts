import { setTimeout as delay } from 'node:timers/promises';
import { generateApiKey } from '@animal-store/auth';
import { migrateServer } from '@animal-store/persistence';
import { BuiltProgram } from '../support/built-server.js';
import { Load } from '../support/load.js';
import { startLocalServer, type LocalPostgresServer } from '../support/postgres-server.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { SilenceableProxy } from '../support/silenceable-proxy.js';
import { storedPets } from '../support/sql.js';
import { printFigures } from '../support/figures.js';

const CLIENTS = 64;
const AWAY_MS = 10_000;

/** The server of the database refuses connections itself, so requests fail at once. */
const BOUND_WHEN_STOPPED_MS = 2_000;
/** A statement can wait for a connection, then be sent over a connection that has just become silent, and then time out. */
const BOUND_WHEN_SILENT_MS = 20_000;

describe('while the database is away', () => {
  let database: LocalPostgresServer;
  let proxy: SilenceableProxy;
  let server: BuiltProgram;
  let url: string;

  beforeEach(async () => {
    database = await startLocalServer();
    await migrateServer(database.url);
    proxy = await SilenceableProxy.open(database.url);
    server = new BuiltProgram('main', {
      NODE_ENV: 'production',
      BOOTSTRAP_API_KEY: TEST_API_KEY,
      DATABASE_URL: proxy.url,
    });
    url = await server.listening();
    while ((await health('ready')) !== 200) await delay(50);
  });

  afterEach(async () => {
    await server.kill('SIGKILL');
    proxy.close();
    await database.stop();
  });

  async function health(what: 'live' | 'ready'): Promise<number> {
    return (await fetch(`${url}/health/${what}`)).status;
  }

  /** The status of a request with a key that must be looked up. The lookup has its own connections to the database. */
  async function statusForUnknownKey(): Promise<number> {
    const headers = { authorization: `Bearer ${generateApiKey('astest')}` };
    return (await fetch(`${url}/v1/pets`, { headers })).status;
  }

  /** @returns the milliseconds between the return of the database and the first successful response that needed the database */
  async function recovery(load: Load, returnedAt: number): Promise<number> {
    for (;;) {
      const first = load.outcomes.find(({ status, endedAt }) => status < 300 && status > 0 && endedAt > returnedAt);
      if (first !== undefined) return first.endedAt - returnedAt;
      await delay(20);
    }
  }

  function slowest(load: Load): number {
    return Math.max(...load.outcomes.map(({ durationMs }) => durationMs));
  }

  function report(title: string, load: Load, recoveredMs: number): void {
    console.log(
      `${title}: ${load.outcomes.length} requests (${load.summary()}), ` +
        `slowest answer ${Math.round(slowest(load))} ms, recovered after ${Math.round(recoveredMs)} ms`,
    );
  }

  function keep(id: string, trial: string, load: Load, recoveredMs: number): void {
    printFigures(
      'While the database is away every answer is 503 within a bound, and service resumes without a restart',
      {
        requests: load.outcomes.length,
        'acknowledged and lost': 0,
        'slowest answer': `${Math.round(slowest(load))} ms`,
        'served again after': `${Math.round(recoveredMs)} ms`,
      },
    );
  }

  async function expectAcknowledgedToBeStored(load: Load): Promise<void> {
    const stored = await storedPets(database.url);
    expect(load.acknowledged.filter(({ id, name }) => stored.get(id) !== name)).toEqual([]);
  }

  test('every answer is a prompt 503 with the Error body, and service resumes by itself', async () => {
    const load = new Load(url, CLIENTS, 20);
    await delay(2_000);
    await database.halt();
    const haltedAt = performance.now();
    await delay(1_000);
    expect([await health('live'), await health('ready')]).toEqual([200, 503]);
    await delay(AWAY_MS - 1_000);
    const resumed = database.resume();
    const returnedAt = await resumed.then(() => performance.now());
    const recoveredMs = await recovery(load, returnedAt);
    await delay(2_000);
    await load.stop();

    report('Stopped', load, recoveredMs);
    expect(
      load.outcomes.filter(({ status, fault }) => fault !== undefined || ![200, 201, 503].includes(status)),
    ).toEqual([]);
    expect(load.outcomes.some(({ status, endedAt }) => status === 503 && endedAt > haltedAt)).toBe(true);
    expect(slowest(load)).toBeLessThan(BOUND_WHEN_STOPPED_MS);
    expect(recoveredMs).toBeLessThan(3_000);
    expect(await health('ready')).toBe(200);
    await expectAcknowledgedToBeStored(load);
    keep('database-stopped', 'the database is stopped for a few seconds, then started', load, recoveredMs);
  }, 120_000);

  test('nothing waits longer than the bound when its network falls silent, and service resumes by itself', async () => {
    const load = new Load(url, CLIENTS, 20);
    await delay(2_000);
    expect(await statusForUnknownKey()).toBe(401);
    proxy.silence();
    const lookedUpInSilence = statusForUnknownKey();
    await delay(30_000);
    expect(await lookedUpInSilence).toBe(503);
    expect(await health('live')).toBe(200);
    proxy.speak();
    const recoveredMs = await recovery(load, performance.now());
    await delay(2_000);
    await load.stop();

    report('Silent', load, recoveredMs);
    expect(
      load.outcomes.filter(({ status, fault }) => fault !== undefined || ![200, 201, 503].includes(status)),
    ).toEqual([]);
    expect(slowest(load)).toBeLessThan(BOUND_WHEN_SILENT_MS);
    expect(recoveredMs).toBeLessThan(10_000);
    expect(await statusForUnknownKey()).toBe(401);
    await expectAcknowledgedToBeStored(load);
    keep('database-silent', 'the network to the database swallows everything for 30 s', load, recoveredMs);
  }, 120_000);
});
