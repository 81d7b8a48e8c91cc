import { setTimeout as delay } from 'node:timers/promises';
import { generateApiKey } from '@animal-store/auth';
import { migrateServer } from '@animal-store/persistence';
import { BuiltProgram } from '../support/built-program.js';
import { printFigures } from '../support/print-figures.js';
import { untilReady } from '../support/fleet.js';
import { Ledger, readStoredPets } from '../support/ledger.js';
import { startLocalServer, type LocalPostgresServer } from '../support/postgres-server.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { SilenceableProxy } from '../support/silenceable-proxy.js';
import { WatchfulClients, worstOf } from '../support/watchful-clients.js';

const CLIENTS = 64;

/** How a database goes away and comes back. Durations are in milliseconds. */
interface Absence {
  readonly title: string;
  readonly awayMs: number;
  /** The longest time that a request may take. */
  readonly boundMs: number;
  readonly begin: (database: LocalPostgresServer, proxy: SilenceableProxy) => Promise<void> | void;
  readonly end: (database: LocalPostgresServer, proxy: SilenceableProxy) => Promise<void> | void;
}

const ABSENCES: readonly Absence[] = [
  {
    title: 'stopped',
    awayMs: 10_000,
    // The server refuses connections itself, so requests fail at once.
    boundMs: 5_000,
    begin: (database) => database.halt(),
    end: (database) => database.resume(),
  },
  {
    title: 'silent, as its network swallows everything',
    awayMs: 30_000,
    // A statement can wait for a connection, then be sent over one that has just become silent, and then time out.
    boundMs: 20_000,
    begin: (_database, proxy) => {
      proxy.silence();
    },
    end: (_database, proxy) => {
      proxy.speak();
    },
  },
];

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
    url = await untilReady(server);
  });

  afterEach(async () => {
    await server.kill('SIGKILL');
    proxy.close();
    await database.stop();
  });

  /** The status of a request with a key that must be looked up. */
  async function statusForUnknownKey(): Promise<number> {
    const headers = { authorization: `Bearer ${generateApiKey('astest')}` };
    return (await fetch(`${url}/v1/pets`, { headers })).status;
  }

  test.each(ABSENCES)(
    '$title, every answer is a 503 within the bound, and service resumes by itself',
    async ({ title, awayMs, boundMs, begin, end }) => {
      const ledger = new Ledger();
      const clients = new WatchfulClients({ target: () => url, clients: CLIENTS, pauseMs: 0 }, ledger);
      await delay(2_000);
      expect(await statusForUnknownKey()).toBe(401);
      await begin(database, proxy);
      const awayAt = performance.now();
      const lookedUp = statusForUnknownKey();
      await delay(awayMs);
      expect(await lookedUp).toBe(503);
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      expect((await fetch(`${url}/health/ready`)).status).toBe(503);
      await end(database, proxy);
      const backAt = performance.now();
      await untilReady(server);
      await delay(2_000);
      await clients.stop();

      const served = clients.successes.find(({ endedAt }) => endedAt > backAt);
      printFigures(`The database was ${title}`, {
        requests: clients.successes.length + clients.failed.length,
        refused: clients.failed.length,
        'slowest answer (ms)': Math.round(clients.slowestMs),
        'served again after (ms)': Math.round((served?.endedAt ?? Infinity) - backAt),
      });
      expect(worstOf(clients.failed.filter(({ failure }) => !failure.startsWith('refused')))).toEqual([]);
      expect(clients.failed.some(({ endedAt }) => endedAt > awayAt)).toBe(true);
      expect(clients.slowestMs).toBeLessThan(boundMs);
      expect(served).toBeDefined();
      expect(await statusForUnknownKey()).toBe(401);
      expect(ledger.compare(await readStoredPets(database.url))).toEqual([]);
    },
    120_000,
  );
});
