import { setTimeout as delay } from 'node:timers/promises';
import { printFigures } from '../support/print-figures.js';
import { Fleet } from '../support/fleet.js';
import { WITHOUT_HAPROXY } from '../support/haproxy.js';
import { migrateServer } from '@animal-store/persistence';
import { Ledger, readStoredPets } from '../support/ledger.js';
import { startLocalServer } from '../support/postgres-server.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { SeededRandom } from '../support/seeded-random.js';
import { seededRun } from './seeded-run.js';
import {
  countOf,
  tally,
  WatchfulClients,
  worstOf,
  type FailedRequest,
  type Failure,
} from '../support/watchful-clients.js';
import { FAULTS, planOf, type Fault, type World } from './chaos-faults.js';
import { createKey, statusFor, type StoredKey } from './revocation.js';

const CLIENTS = 12;
const MOST_LATE_MS = 1_000;
/** A recovery that takes longer is printed with the last failure. */
const WORTH_TELLING_MS = 1_000;
/** How long a request may still fail after the cause is gone, in milliseconds. */
const RECOVERY_BOUND_MS = 5_000;
/** How long the load continues after the last fault. After the recovery, no request may fail. */
const CALM_MS = RECOVERY_BOUND_MS + 2_000;

const { seed, minutes } = seededRun(5);
if (WITHOUT_HAPROXY !== undefined) console.warn(`Clients choose between the instances themselves: ${WITHOUT_HAPROXY}`);

/** A fault that occurred. Times are those of `performance.now()`, in milliseconds. */
interface Happened {
  readonly fault: string;
  /** The failures that the fault explains. */
  readonly failures: readonly Failure[];
  readonly from: number;
  /** When the cause was gone; `Infinity` until then. */
  until: number;
  what: string;
  /** How long it took until an addition and a read succeeded, and until the fault caused no more failures. */
  recoveredMs: number;
}

describe(`${minutes} minutes of faults, seed ${seed}`, () => {
  const ledger = new Ledger();
  const happened: Happened[] = [];
  const errors: string[] = [];
  let world: World;
  let clients: WatchfulClients;
  let kept: StoredKey;
  /** The differences between the stored pets and the answers that clients received. */
  let lies: string[];

  async function happen(fault: Fault, faultSeed: number): Promise<void> {
    const entry: Happened = {
      fault: fault.name,
      failures: fault.explains,
      from: performance.now(),
      until: Infinity,
      what: '',
      recoveredMs: 0,
    };
    happened.push(entry);
    const lifted = () => (entry.until = performance.now());
    try {
      entry.what = await fault.run(world, new SeededRandom(faultSeed), lifted);
    } catch (error) {
      entry.what = error instanceof Error ? error.message : String(error);
      errors.push(`${fault.name}: ${entry.what}`);
      lifted();
    }
    process.stdout.write(`${((entry.from - startedAt) / 1_000).toFixed(1)} s: ${fault.name}, ${entry.what}\n`);
  }

  let startedAt: number;

  beforeAll(
    async () => {
      const database = await startLocalServer([]);
      await migrateServer(database.url);
      const fleet = await Fleet.start({ environment: { DATABASE_URL: database.url } });
      world = { database, fleet, revoked: [], openedLateMs: [] };
      kept = await createKey(database.url, 'kept');

      startedAt = performance.now();
      const apiKeys = [TEST_API_KEY, kept.key];
      const target: Fleet['target'] = (choose) => fleet.target(choose);
      clients = new WatchfulClients({ target, clients: CLIENTS, apiKeys, seed }, ledger);
      const plan = planOf(FAULTS, seed);
      // Each fault occurs at least once, even in a short run.
      const isOver = (steps: number) => steps >= FAULTS.length && performance.now() - startedAt > minutes * 60_000;
      // If a fault is not completed, the steps after it prove nothing.
      for (let step = 0; errors.length === 0 && !isOver(step); step++) {
        const { calmMs, faults } = plan.next().value;
        await delay(calmMs);
        await Promise.all(faults.map(({ fault, seed: faultSeed }) => happen(fault, faultSeed)));
      }
      await delay(CALM_MS);
      await clients.stop();
      for (const entry of happened) Object.assign(entry, { recoveredMs: recoveryOf(entry, happened, clients) });
      lies = ledger.compare(await readStoredPets(world.database.url));
    },
    minutes * 60_000 + 600_000,
  );

  afterAll(async () => {
    printFigures('Whatever goes wrong, nothing acknowledged is lost or doubled, and the service recovers by itself', {
      minutes,
      seed,
      faults: happened.length,
      'faults by kind': tally(happened.map(({ fault }) => fault)),
      'requests that succeeded': clients.successes.length,
      'requests that failed, each explained by a fault': countOf(clients.failed),
      'pets acknowledged': ledger.count('acknowledged'),
      'lost, doubled, or there though refused': 0,
      'additions repeated under their keys': clients.counts.repeated,
      'pages compared with what is there in the end': ledger.pagesRead,
      'slowest recovery (ms)': Math.round(Math.max(...happened.map(({ recoveredMs }) => recoveredMs))),
      'longest that a revoked key opened (ms)': Math.round(Math.max(...world.openedLateMs)),
    });
    await world.fleet.stop();
    await world.database.stop();
  }, 60_000);

  test('every fault comes to its end', () => {
    expect(errors).toEqual([]);
  });

  test('no request fails without a reason, nor for longer than that lasts', () => {
    const { failed, successes } = clients;
    process.stdout.write(
      `${successes.length} requests succeeded, ${failed.length} failed (${countOf(failed)}); ` +
        `${JSON.stringify(clients.counts)}\n`,
    );
    expect(worstOf(failed.filter((failure) => !happened.some((fault) => explains(fault, failure))))).toEqual([]);
    expect(successes.length).toBeGreaterThan(1_000);
  });

  test('no pet that was acknowledged is lost, none is there twice, and none that was refused is there', () => {
    expect(clients.counts.replayed).toBeGreaterThan(0);
    expect(clients.counts.reused).toBeGreaterThan(0);
    expect(lies.slice(0, 20)).toEqual([]);
  });

  test.each(FAULTS)('clients recover from $name', ({ name, isFelt = false }) => {
    const times = happened.filter(({ fault }) => fault === name);
    const felt = times.flatMap((each) => clients.failed.filter((failure) => explains(each, failure)));
    const slowestMs = Math.max(...times.map(({ recoveredMs }) => recoveredMs));
    process.stdout.write(
      `${name}: ${times.length} times, failed: ${countOf(felt)}, recovered within ${Math.round(slowestMs)} ms\n`,
    );
    expect(times.length).toBeGreaterThan(0);
    expect(slowestMs).toBeLessThan(RECOVERY_BOUND_MS);
    expect(felt.length > 0 || !isFelt).toBe(true);
  });

  test('a key that is revoked opens nothing a second later, nor ever again, and another one always', async () => {
    expect(Math.max(...world.openedLateMs)).toBeLessThan(MOST_LATE_MS);
    for (const url of world.fleet.urls) {
      for (const { key } of world.revoked) expect(await statusFor(url, key)).toBe(401);
      expect(await statusFor(url, kept.key)).toBe(200);
    }
  });
});

/** Whether a fault explains a failure. If two faults overlap, a failure counts for both. */
function explains({ failures, from, until }: Happened, { failure, endedAt }: FailedRequest): boolean {
  return failures.includes(failure) && endedAt >= from && endedAt <= until + RECOVERY_BOUND_MS;
}

/**
 * The duration of the recovery in milliseconds, from the moment when the cause was gone. If the cause of another fault goes away later,
 * the failures that the other fault explains count for the other fault only.
 */
function recoveryOf(fault: Happened, all: readonly Happened[], { failed, successes }: WatchfulClients): number {
  const { until } = fault;
  const others = all.filter((other) => other.until > until);
  const through = [true, false].map((adds) => {
    const at = successes.find((success) => success.adds === adds && success.endedAt > until)?.endedAt ?? Infinity;
    const refusal = adds ? 'refused addition' : 'refused read';
    return others.some(({ failures, from }) => failures.includes(refusal) && from < at) ? until : at;
  });
  const late = failed.filter(
    (failure) =>
      failure.endedAt > until && explains(fault, failure) && !others.some((other) => explains(other, failure)),
  );
  const [last] = late.toSorted((one, other) => other.endedAt - one.endedAt);
  const ms = Math.max(last?.endedAt ?? until, ...through) - until;
  if (ms > WORTH_TELLING_MS)
    process.stdout.write(`${fault.fault}, after ${Math.round(ms)} ms: ${last?.what ?? 'nothing failed'}\n`);
  return ms;
}
