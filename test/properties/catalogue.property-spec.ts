import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { printFigures } from '../support/figures.js';
import { letReadsJoin } from '../support/joining-reads.js';
import type { RunningApp } from '../support/running-app.js';
import { withClient } from '../support/sql.js';
import { exploreClients } from './catalogue/concurrent-clients.js';

const TIMEOUT_MS = 600_000;
const SCENE = { clients: 5, actions: 24 };

describe.each([1, 2])('the catalogue on %i instance(s)', (instances) => {
  const database = useDatabase(createMigratedDatabase);

  test(
    'answers clients that ask at the same time as if they had asked in some order, restarts between',
    async () => {
      const found = await exploreClients(database, { ...SCENE, runs: 300, instances, restarts: true });
      printFigures(`Clients on ${instances} instance(s)`, { ...found });
      expect(found.calls).toBeGreaterThan(found.runs);
    },
    TIMEOUT_MS,
  );
});

/** The lock that makes ids visible in order (ADR 0004) blocks nobody. */
async function skipLock(url: string): Promise<void> {
  // PostgreSQL prefers this function to its own, which takes a bigint: the number in the statement is an integer.
  await withClient(url, (client) =>
    client.query(`create function pg_advisory_xact_lock(integer) returns void language sql as ''`),
  );
}

describe('the search for an order', () => {
  const database = useDatabase(createMigratedDatabase);

  test.each<[what: string, instances: number, breakDatabase: (url: string) => Promise<void>, prepare: Prepare]>([
    ['a list joins a statement under way', 1, () => Promise.resolve(), joining('findPage')],
    ['a get joins a statement under way', 1, () => Promise.resolve(), joining('findById')],
    // The last one, because the database stays broken.
    ['two instances add without the lock', 2, skipLock, () => undefined],
  ])(
    'finds none when %s',
    async (_what, instances, breakDatabase, prepare) => {
      await breakDatabase(database.url);
      const scene = { ...SCENE, runs: 1_000, leastRuns: 1_000, instances, restarts: false, prepare };
      await expect(exploreClients(database, scene)).rejects.toThrow('No order of the calls explains the answers');
    },
    TIMEOUT_MS,
  );
});

type Prepare = (app: RunningApp) => void;

function joining(kind: 'findPage' | 'findById'): Prepare {
  return (app) => {
    letReadsJoin(app, kind);
  };
}
