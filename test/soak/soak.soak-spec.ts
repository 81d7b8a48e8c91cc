import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { BuiltProgram } from '../support/built-program.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { describeUnless } from '../support/describe-unless.js';
import { freePort } from '../support/free-port.js';
import { printFigures } from '../support/print-figures.js';
import { Ledger, readStoredPets } from '../support/ledger.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { SeededRandom } from '../support/seeded-random.js';
import { seededRun } from '../support/seeded-run.js';
import { worstOf, WatchfulClients } from '../support/watchful-clients.js';
import { BODY_LIMIT_BYTES, RoughClients } from './rough-clients.js';
import { table, takeSamples, trendsOf, type Sample, type Trend } from './measures.js';

/** So few that neither the service nor the load saturates the machine: if a value grows, the service is the cause. */
const CLIENTS = 8;
const ROUGH_CLIENTS = 4;
const SAMPLE_EVERY_MS = 10_000;

/** What Node compiles and keeps in its first minutes is not a leak. */
const WARM_UP_SHARE = 0.25;
const MOST_WARM_UP_MS = 300_000;

const HERE = import.meta.dirname;
const { seed, minutes } = seededRun(60);
const runMs = minutes * 60_000;
const warmUpMs = Math.min(MOST_WARM_UP_MS, runMs * WARM_UP_SHARE);

const describeWhereProcIs = describeUnless(
  existsSync('/proc/self/fd') ? undefined : 'There is no /proc: so the soak is not run. It needs Linux',
);

describeWhereProcIs(`${minutes} minutes of mixed load`, () => {
  const database = useDatabase(createMigratedDatabase);
  let service: BuiltProgram | undefined;
  const ledger = new Ledger();
  let clients: WatchfulClients;
  let rough: RoughClients;
  let samples: Sample[];
  let trends: Trend[];

  beforeAll(async () => {
    const probePort = await freePort();
    const variables = {
      NODE_ENV: 'production',
      BOOTSTRAP_API_KEY: TEST_API_KEY,
      LOG_LEVEL: 'info',
      METRICS_PORT: '0',
      BODY_LIMIT: String(BODY_LIMIT_BYTES),
      SOAK_PROBE: String(probePort),
      ...database.environment,
    };
    service = new BuiltProgram('main', variables, [], ['--import', pathToFileURL(join(HERE, 'process-probe.ts')).href]);
    const url = await service.listening();
    service.keepEndOfOutput();

    clients = new WatchfulClients({ target: () => url, clients: CLIENTS, seed }, ledger);
    rough = new RoughClients(url, new SeededRandom(seed), ROUGH_CLIENTS);

    const sampling = new AbortController();
    const watched = { pid: service.pid, probeUrl: `http://127.0.0.1:${probePort}`, databaseUrl: database.url };
    const taking = takeSamples(watched, SAMPLE_EVERY_MS, sampling.signal);
    const beganAt = performance.now();
    try {
      // The wait also ends as soon as a sample cannot be taken.
      await Promise.race([delay(runMs, undefined, { signal: sampling.signal }), taking]);
    } catch (error) {
      throw new Error(`The service could not be looked at: ${service.printed}`, { cause: error });
    } finally {
      sampling.abort();
      await Promise.all([clients.stop(), rough.stop()]);
    }
    const taken = await taking;
    samples = taken.filter(({ takenAt }) => takenAt - beganAt >= warmUpMs);

    trends = trendsOf(samples);
    process.stdout.write(`${table(taken)}\n`);
    printFigures(`seed ${seed}, ${minutes} minutes, ${samples.length} samples`, {
      calls: clients.successes.length + rough.calls,
      ...clients.counts,
      ...Object.fromEntries(
        trends.map((trend) => [trend.name, `${trend.first} to ${trend.last} (${trend.growthPerHour} an hour)`]),
      ),
    });
  }, runMs + 300_000);

  afterAll(async () => {
    await service?.kill('SIGKILL');
  });

  test('gets no unexpected response, and loses no animal', async () => {
    expect(worstOf(clients.failed)).toEqual([]);
    expect(rough.surprises).toEqual([]);
    expect(ledger.count('acknowledged')).toBeGreaterThan(minutes * 60);
    expect(ledger.compare(await readStoredPets(database.url))).toEqual([]);
  });

  test('leaves memory, descriptors, connections and prepared statements as they are', () => {
    expect(samples.length).toBeGreaterThan(5);
    expect(trends.filter(({ isFlat }) => !isFlat)).toEqual([]);
  });

  test('ends in order', async () => {
    service!.signal('SIGTERM');
    expect(await service!.exitCode()).toBe(0);
  }, 60_000);
});
