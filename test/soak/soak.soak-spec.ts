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
import { Latencies, rounded, table, takeSamples, trendsOf, type Sample, type Trend } from './measures.js';
import { SteadyLoad, type Habit } from './steady-load.js';

/** So few that neither the service nor the load saturates the machine: if a value grows, the service is the cause. */
const CALLS_PER_SECOND = 300;
const CONTROL_CALLS_PER_SECOND = 50;
const SAMPLE_EVERY_MS = 10_000;

/** What Node compiles and keeps in its first minutes is not a leak. */
const WARM_UP_SHARE = 0.25;
const MOST_WARM_UP_MS = 300_000;

/** How much slower the 99th percentile may be in the last tenth than in the first. */
const MOST_RATIO = 1.2;

const HERE = import.meta.dirname;
const { seed, minutes } = seededRun();
const runMs = minutes * 60_000;
const warmUpMs = Math.min(MOST_WARM_UP_MS, runMs * WARM_UP_SHARE);

const describeWhereProcIs = describeUnless(
  existsSync('/proc/self/fd') ? undefined : 'There is no /proc: so the soak is not run. It needs Linux',
);

function habitsOf(calls: Calls, rough: RoughClients): Habit[] {
  const timed = (name: string, share: number, act: Habit['act']): Habit => ({ name, share, isTimed: true, act });
  const other = (name: string, share: number, act: Habit['act']): Habit => ({ name, share, isTimed: false, act });
  return [
    timed('list', 350, calls.list),
    timed('get', 250, calls.get),
    timed('add', 60, calls.add),
    timed('add under a key', 40, calls.addUnderKey),
    other('repeat', 30, calls.repeat),
    other('reuse a key', 10, calls.reuseKey),
    other('ask whether changed', 30, calls.askWhetherChanged),
    other('ask for nothing', 40, calls.askForNothing),
    other('wrong body', 30, calls.sendWrongBody),
    other('wrong query', 20, calls.askWrongly),
    other('too much', 10, calls.sendTooMuch),
    other('other type', 10, calls.sendOtherType),
    other('other method', 10, calls.useOtherMethod),
    other('no key', 40, calls.haveNoKey),
    other('new connection', 30, calls.comeAnew),
    other('aborted body', 10, rough.abortBody),
    other('aborted answer', 10, rough.abortAnswer),
    other('aborted wait', 10, rough.abortWait),
    other('no HTTP', 6, rough.talkNoHttp),
    other('slow reader', 1, rough.readSlowly),
    other('slow writer', 3, rough.writeSlowly),
  ];
}

describeWhereProcIs(`${minutes} minutes of mixed load`, () => {
  const database = useDatabase(createMigratedDatabase);
  let service: BuiltProgram | undefined;
  let control: BuiltProgram | undefined;
  let load: SteadyLoad;
  let samples: Sample[];
  let trends: Trend[];
  let p99: number[];
  let controlP99: number[];

  beforeAll(async () => {
    const [probePort, controlPort] = [await freePort(), await freePort()];
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
    control = new BuiltProgram(`/${join(HERE, 'control.ts').slice(1)}`, { SOAK_CONTROL: String(controlPort) });
    const [url, controlUrl] = await Promise.all([service.listening(), control.listening()]);
    service.keepEndOfOutput();

    const random = new SeededRandom(seed);
    const calls = new Calls(url, random, `soak-${seed}`);
    const controlCalls = new Calls(controlUrl, random, 'control');
    const [latencies, controlLatencies] = [new Latencies(), new Latencies()];
    load = new SteadyLoad(habitsOf(calls, new RoughClients(url)), CALLS_PER_SECOND, random, latencies.add);
    const ask: Habit = { name: 'control', share: 1, isTimed: true, act: controlCalls.ping };
    const controlLoad = new SteadyLoad([ask], CONTROL_CALLS_PER_SECOND, new SeededRandom(seed), controlLatencies.add);

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
      await Promise.all([load.stop(), controlLoad.stop()]);
      calls.close();
      controlCalls.close();
    }
    const taken = await taking;
    samples = taken.filter(({ takenAt }) => takenAt - beganAt >= warmUpMs);

    trends = trendsOf(samples);
    p99 = latencies.p99OfTenths(warmUpMs).map(rounded);
    controlP99 = controlLatencies.p99OfTenths(warmUpMs).map(rounded);
    process.stdout.write(`${table(taken)}\n`);
    printFigures(`seed ${seed}, ${minutes} minutes, ${samples.length} samples`, {
      calls: load.total,
      ...Object.fromEntries(load.counts),
      ...Object.fromEntries(
        trends.map((trend) => [trend.name, `${trend.first} to ${trend.last} (${trend.growthPerHour} an hour)`]),
      ),
      'p99 of the first and of the last tenth (ms)': `${p99[0]!}, ${p99.at(-1)!}`,
      'the same of a server that does nothing (ms)': `${controlP99[0]!}, ${controlP99.at(-1)!}`,
    });
  }, runMs + 300_000);

  afterAll(async () => {
    await service?.kill('SIGKILL');
    await control?.kill('SIGKILL');
  });

  test('gets no unexpected answer', () => {
    expect([...load.surprises]).toEqual([]);
    expect(load.total).toBeGreaterThan(CALLS_PER_SECOND * minutes * 60 * 0.95);
  });

  test('leaves memory, descriptors, connections and prepared statements as they are', () => {
    expect(samples.length).toBeGreaterThan(5);
    expect(trends.filter(({ isFlat }) => !isFlat)).toEqual([]);
  });

  test('is answered as fast in the last tenth as in the first', () => {
    expect(ratioOf(p99)).toBeLessThanOrEqual(MOST_RATIO * Math.max(1, ratioOf(controlP99)));
  });

  test('ends in order', async () => {
    service!.signal('SIGTERM');
    expect(await service!.exitCode()).toBe(0);
  }, 60_000);
});

function ratioOf(tenths: readonly number[]): number {
  return tenths.at(-1)! / tenths[0]!;
}
