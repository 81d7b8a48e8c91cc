import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WITHOUT_HAPROXY } from '../support/haproxy.js';
import { checkLinearizability } from '../support/linearizability.js';
import { printFigures } from '../support/figures.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { SeededRandom } from '../support/seeded-random.js';
import { withClient } from '../support/sql.js';
import { timedRun } from '../support/timed-run.js';
import { ChaosClients } from './chaos-clients.js';
import { ChaosDatabase } from './chaos-database.js';
import { RECOVERY_BOUND_MS, unexplained, type Excuse, type FailedRequest } from './failures.js';
import { FAULTS, type Fault, type World } from './faults.js';
import { Fleet } from './fleet.js';
import { Ledger, type StoredPet } from './ledger.js';
import { planOf } from './plan.js';
import { compileFaults, ProcessFaults, WITHOUT_COMPILER } from './process-faults.js';
import { createKey, statusFor, type StoredKey } from './revocation.js';

const CLIENTS = 12;
const MOST_LATE_MS = 1_000;
/** A recovery that takes longer is printed with the last failure. */
const WORTH_TELLING_MS = 1_000;
/** How long the load continues after the last fault. After the recovery, no request may fail. */
const CALM_MS = RECOVERY_BOUND_MS + 2_000;

const { seed, minutes } = timedRun();
const available = FAULTS.filter(({ missing }) => missing === undefined);
for (const { name, missing } of FAULTS) {
  if (missing !== undefined) console.warn(`${name} is not tried: ${missing}`);
}
if (WITHOUT_HAPROXY !== undefined) console.warn(`Clients choose between the instances themselves: ${WITHOUT_HAPROXY}`);

/** A fault that occurred. Times are those of `performance.now()`, in milliseconds. */
interface Happened extends Excuse {
  what: string;
  /** How long it took until an addition and a read succeeded, and until the fault caused no more failures. */
  recoveredMs: number;
}

describe(`${minutes} minutes of faults, seed ${seed}`, () => {
  const ledger = new Ledger();
  const happened: Happened[] = [];
  const errors: string[] = [];
  let folder: string;
  let world: World;
  let clients: ChaosClients;
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
      folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
      chmodSync(folder, 0o755);
      const library = WITHOUT_COMPILER === undefined ? compileFaults(folder) : undefined;
      const database = await ChaosDatabase.start(folder, new ProcessFaults(library, folder, 'database'));
      const faultsOf = (place: number) => new ProcessFaults(library, folder, `place${place}`);
      const fleet = await Fleet.start(database.url, faultsOf);
      world = { database, fleet, revoked: [], openedLateMs: [] };
      kept = await createKey(database.url, 'kept');

      startedAt = performance.now();
      const apiKeys = [TEST_API_KEY, kept.key];
      const target: Fleet['target'] = (choose) => fleet.target(choose);
      clients = new ChaosClients({ target, apiKeys }, ledger, CLIENTS, seed);
      const plan = planOf(available, seed);
      // Each fault occurs at least once, even in a short run.
      const isOver = (steps: number) => steps >= available.length && performance.now() - startedAt > minutes * 60_000;
      // If a fault is not completed, the steps after it prove nothing.
      for (let step = 0; errors.length === 0 && !isOver(step); step++) {
        const { calmMs, faults } = plan.next().value;
        await delay(calmMs);
        await Promise.all(faults.map(({ fault, seed: faultSeed }) => happen(fault, faultSeed)));
      }
      await delay(CALM_MS);
      await clients.stop();
      for (const entry of happened) Object.assign(entry, { recoveredMs: recoveryOf(entry, happened, clients) });
      lies = ledger.compare(await stored());
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
    await world.database.remove();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  /** Reads the stored pets from the database itself. */
  async function stored(): Promise<StoredPet[]> {
    const { rows } = await withClient(world.database.url, (client) =>
      client.query<StoredPet>('select id::text, name, status from pets order by pets.id'),
    );
    return rows;
  }

  test('every fault comes to its end', () => {
    expect(errors).toEqual([]);
  });

  test('no request fails without a reason, nor for longer than that lasts', () => {
    const { failed, successes } = clients;
    process.stdout.write(
      `${successes.length} requests succeeded, ${failed.length} failed (${countOf(failed)}); ` +
        `${JSON.stringify(clients.counts)}\n`,
    );
    expect(worstOf(unexplained(failed, happened))).toEqual([]);
    expect(successes.length).toBeGreaterThan(1_000);
  });

  test('no pet that was acknowledged is lost, none is there twice, and none that was refused is there', () => {
    expect(clients.counts.replayed).toBeGreaterThan(0);
    expect(clients.counts.reused).toBeGreaterThan(0);
    expect(lies.slice(0, 20)).toEqual([]);
  });

  for (const { name, isFelt = false, missing } of FAULTS) {
    const describeWherePossible = missing === undefined ? describe : describe.skip;
    describeWherePossible(`from ${name}`, () => {
      test('clients recover', () => {
        const times = happened.filter(({ fault }) => fault === name);
        const felt = times.flatMap((excuse) => failuresOf(excuse, clients.failed));
        const slowestMs = Math.max(...times.map(({ recoveredMs }) => recoveredMs));
        process.stdout.write(
          `${name}: ${times.length} times, ${countOf(felt) || 'no request failed'}, recovered within ${Math.round(slowestMs)} ms\n`,
        );
        expect(times.length).toBeGreaterThan(0);
        expect(slowestMs).toBeLessThan(RECOVERY_BOUND_MS);
        expect(felt.length > 0 || !isFelt).toBe(true);
      });
    });
  }

  test('a key that is revoked opens nothing a second later, nor ever again, and another one always', async () => {
    expect(Math.max(...world.openedLateMs)).toBeLessThan(MOST_LATE_MS);
    for (const url of world.fleet.urls) {
      for (const { key } of world.revoked) expect(await statusFor(url, key)).toBe(401);
      expect(await statusFor(url, kept.key)).toBe(200);
    }
  });

  test('afterwards two instances are linearizable', async () => {
    const ports = world.fleet.serving;
    expect(ports).toHaveLength(2);
    const outcome = await checkLinearizability(ports, { readers: 4, writers: 2, rounds: 300 });
    expect(outcome).toMatchObject({ miss: undefined });
  }, 120_000);
});

/**
 * The duration of the recovery in milliseconds, from the moment when the cause was gone. If the cause of another fault goes away later,
 * the failures that the other fault explains count for the other fault only.
 */
function recoveryOf(excuse: Excuse, all: readonly Excuse[], { failed, successes }: ChaosClients): number {
  const { until } = excuse;
  const others = all.filter((other) => other.until > until);
  const through = [true, false].map((adds) => {
    const at = successes.find((success) => success.adds === adds && success.endedAt > until)?.endedAt ?? Infinity;
    const refusal = adds ? 'refused addition' : 'refused read';
    return others.some(({ failures, from }) => failures.includes(refusal) && from < at) ? until : at;
  });
  const explained = others.flatMap((other) => failuresOf(other, failed));
  const late = failuresOf(excuse, failed).filter((failure) => failure.endedAt > until && !explained.includes(failure));
  const [last] = late.toSorted((one, other) => other.endedAt - one.endedAt);
  const ms = Math.max(last?.endedAt ?? until, ...through) - until;
  if (ms > WORTH_TELLING_MS)
    process.stdout.write(`${excuse.fault}, after ${Math.round(ms)} ms: ${last?.what ?? 'nothing failed'}\n`);
  return ms;
}

/** The failures that a fault explains. If two faults overlap, a failure counts for both. */
function failuresOf({ failures, from, until }: Excuse, failed: readonly FailedRequest[]): FailedRequest[] {
  return failed.filter(
    ({ failure, endedAt }) => failures.includes(failure) && endedAt >= from && endedAt <= until + RECOVERY_BOUND_MS,
  );
}

/** The first 20 failures as text, and the number of the remaining ones. */
function worstOf(failed: readonly FailedRequest[]): string[] {
  const lines = failed.slice(0, 20).map(({ failure, endedAt, what }) => `${Math.round(endedAt)} ${failure}: ${what}`);
  return failed.length > 20 ? [...lines, `and ${failed.length - 20} more`] : lines;
}

function countOf(failed: readonly FailedRequest[]): string {
  return tally(failed.map(({ failure }) => failure));
}

function tally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
}
