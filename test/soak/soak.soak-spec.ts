import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { BuiltProgram } from '../support/built-server.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { describeUnless } from '../support/describe-unless.js';
import { freePort } from '../support/free-port.js';
import { printFigures } from '../support/figures.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { SeededRandom } from '../support/seeded-random.js';
import { seededRun } from '../support/seeded-run.js';
import { BODY_LIMIT_BYTES, Calls } from './calls.js';
import { RoughClients } from './rough-clients.js';
import { table, takeSamples, trendsOf, type Sample, type Trend } from './measures.js';
import { SteadyLoad, type Habit } from './steady-load.js';

/** So few that neither the service nor the load saturates the machine: if a value grows, the service is the cause. */
const CALLS_PER_SECOND = 300;
const SAMPLE_EVERY_MS = 10_000;

/** What Node compiles and keeps in its first minutes is not a leak. */
const WARM_UP_SHARE = 0.25;
const MOST_WARM_UP_MS = 300_000;

const HERE = import.meta.dirname;
const { seed, minutes } = seededRun();
const runMs = minutes * 60_000;
const warmUpMs = Math.min(MOST_WARM_UP_MS, runMs * WARM_UP_SHARE);

const describeWhereProcIs = describeUnless(
  existsSync('/proc/self/fd') ? undefined : 'There is no /proc: so the soak is not run. It needs Linux',
);

function habitsOf(calls: Calls, rough: RoughClients): Habit[] {
  const habits: [name: string, share: number, act: Habit['act']][] = [
    ['list', 350, calls.list],
    ['get', 250, calls.get],
    ['add', 60, calls.add],
    ['add under a key', 40, calls.addUnderKey],
    ['repeat', 30, calls.repeat],
    ['reuse a key', 10, calls.reuseKey],
    ['ask whether changed', 30, calls.askWhetherChanged],
    ['be refused', 130, calls.beRefused],
    ['no key', 40, calls.haveNoKey],
    ['new connection', 30, calls.comeAnew],
    ['aborted body', 10, rough.abortBody],
    ['aborted answer', 10, rough.abortAnswer],
    ['aborted wait', 10, rough.abortWait],
  ];
  return habits.map(([name, share, act]) => ({ name, share, act }));
}

describeWhereProcIs(`${minutes} minutes of mixed load`, () => {
  const database = useDatabase(createMigratedDatabase);
  let service: BuiltProgram | undefined;
  let load: SteadyLoad;
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
    service = new BuiltProgram('main', variables, [], ['--import', pathToFileURL(join(HERE, 'probe.ts')).href]);
    const url = await service.listening();
    service.keepEndOfOutput();

    const random = new SeededRandom(seed);
    const calls = new Calls(url, random, `soak-${seed}`);
    load = new SteadyLoad(habitsOf(calls, new RoughClients(url)), CALLS_PER_SECOND, random);

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
      await load.stop();
      calls.close();
    }
    const taken = await taking;
    samples = taken.filter(({ takenAt }) => takenAt - beganAt >= warmUpMs);

    trends = trendsOf(samples);
    process.stdout.write(`${table(taken)}\n`);
    printFigures(`seed ${seed}, ${minutes} minutes, ${samples.length} samples`, {
      calls: load.total,
      ...Object.fromEntries(load.counts),
      ...Object.fromEntries(
        trends.map((trend) => [trend.name, `${trend.first} to ${trend.last} (${trend.growthPerHour} an hour)`]),
      ),
    });
  }, runMs + 300_000);

  afterAll(async () => {
    await service?.kill('SIGKILL');
  });

  test('gets no unexpected answer', () => {
    expect([...load.surprises]).toEqual([]);
    expect(load.total).toBeGreaterThan(CALLS_PER_SECOND * minutes * 60 * 0.95);
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
