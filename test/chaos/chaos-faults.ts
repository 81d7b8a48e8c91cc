import { setTimeout as delay } from 'node:timers/promises';
import { loseConnections } from '../support/lost-connections.js';
import type { Fleet } from '../support/fleet.js';
import { SeededRandom } from '../support/seeded-random.js';
import { withClient } from '../support/database-client.js';
import type { Failure } from '../support/watchful-clients.js';
import { clearDisk, fillDisk, WITHOUT_MOUNT, type ChaosDatabase } from './chaos-database.js';
import { WITHOUT_COMPILER, type ProcessFaults } from './process-faults.js';
import { createKey, lastOpened, revokeKey, type StoredKey } from './revocation.js';

/** What a fault acts on. Two faults at a time never act on the same subject. */
export type Subject = 'instances' | 'database' | 'keys' | 'clocks';

/** What faults act on. */
export interface World {
  readonly database: ChaosDatabase;
  readonly fleet: Fleet;
  /** The clocks of the instances, by place. */
  readonly clocks: readonly ProcessFaults[];
  /** Keys that were revoked permanently. */
  readonly revoked: StoredKey[];
  /** How long each revoked key still opened after its revocation, in milliseconds. */
  readonly openedLateMs: number[];
}

/** A fault that a run injects. */
export interface Fault {
  readonly name: string;
  readonly subject: Subject;
  /** The failures that clients may see during the fault. Failures that the contract rules out are never among them. */
  readonly explains: readonly Failure[];
  /** Whether clients must see failures. If they see none, the fault had no effect. */
  readonly isFelt?: boolean;
  /** Why the fault cannot be tried on this machine, and how to change that. */
  readonly missing?: string | undefined;
  /**
   * Injects the fault. Resolves when the fault is removed completely.
   *
   * @param lifted is called when the cause of the failures is gone: from then on clients recover
   * @returns a description of what was done, for the output
   */
  readonly run: (world: World, random: SeededRandom, lifted: () => void) => Promise<string>;
}

const EVERYTHING: readonly Failure[] = ['refused addition', 'refused read', 'refused by the balancer', 'lost'];
const HOUR_SECONDS = 3_600;

export const FAULTS: readonly Fault[] = [
  {
    name: 'kill -9 of an instance',
    subject: 'instances',
    explains: ['refused by the balancer', 'lost'],
    run: async ({ fleet }, random, lifted) => {
      const which = random.integer(0, 1);
      const started = fleet.kill(which);
      // The other instance serves. The balancer finds out at once that the killed instance is gone.
      lifted();
      await started;
      return `instance ${which}`;
    },
  },
  {
    name: 'a deploy',
    subject: 'instances',
    explains: [],
    run: async ({ fleet }, random, lifted) => {
      const code = await fleet.deploy(random.integer(0, 1));
      lifted();
      if (code !== 0) throw new Error(`The instance that was told to end exited with ${code}`);
      return 'in order';
    },
  },
  {
    name: 'an immediate restart of the database',
    subject: 'database',
    explains: EVERYTHING,
    isFelt: true,
    run: async ({ database }, random, lifted) => {
      const awayMs = random.integer(0, 2_000);
      await database.crash();
      await delay(awayMs);
      await database.start();
      lifted();
      return `${awayMs} ms away`;
    },
  },
  {
    name: 'ended sessions',
    subject: 'database',
    explains: ['refused addition', 'refused read'],
    run: async ({ database }, random, lifted) => {
      let ended = 0;
      for (let times = random.integer(1, 5); times > 0; times--) {
        ended += await loseConnections(database.url);
        await delay(random.integer(0, 500));
      }
      lifted();
      return `${ended} sessions`;
    },
  },
  {
    name: 'a full disk of the data',
    subject: 'database',
    // Reads still succeed.
    explains: ['refused addition'],
    isFelt: true,
    missing: WITHOUT_MOUNT,
    run: async ({ database }, random, lifted) => {
      const fullMs = random.integer(3_000, 7_000);
      await withClient(database.url, (client) => client.query('checkpoint'));
      fillDisk(database.dataFolder);
      await delay(fullMs);
      clearDisk(database.dataFolder);
      lifted();
      return `${fullMs} ms`;
    },
  },
  {
    name: 'a full disk of the write-ahead log',
    subject: 'database',
    // PostgreSQL exits if it cannot write its log, and a supervisor restarts it.
    explains: EVERYTHING,
    isFelt: true,
    missing: WITHOUT_MOUNT,
    run: async ({ database }, random, lifted) => {
      const fullMs = random.integer(1_000, 4_000);
      fillDisk(database.walFolder);
      // Requires a segment of the log for which there is no space. The server exits, and cannot answer this query.
      await withClient(database.url, (client) => {
        client.on('error', () => undefined);
        return client.query(
          'select pg_switch_wal() from generate_series(1, 20) as n where pg_logical_emit_message(true, $1, n::text) is not null',
          ['chaos'],
        );
      }).catch(() => undefined);
      await delay(fullMs);
      clearDisk(database.walFolder);
      await database.ensureRunning();
      lifted();
      return `${fullMs} ms`;
    },
  },
  {
    name: 'a slow disk',
    subject: 'database',
    // Reads and additions still succeed; they only take longer.
    explains: [],
    missing: WITHOUT_COMPILER,
    run: async ({ database }, random, lifted) => {
      const [delayMs, slowMs] = [random.integer(50, 500), random.integer(3_000, 7_000)];
      database.faults.slowDisk(delayMs);
      await delay(slowMs);
      database.faults.slowDisk(0);
      lifted();
      return `${delayMs} ms more for each fsync, for ${slowMs} ms`;
    },
  },
  {
    name: 'a clock of the instances that jumps',
    subject: 'clocks',
    explains: [],
    missing: WITHOUT_COMPILER,
    run: async ({ fleet, clocks }, random, lifted) => {
      const jumps = Array.from({ length: 4 }, () => random.integer(-26 * HOUR_SECONDS, 26 * HOUR_SECONDS));
      for (const seconds of jumps) {
        clocks[random.of(fleet.serving).index]!.setClock(seconds);
        await delay(random.integer(300, 1_500));
      }
      for (const clock of clocks) clock.setClock(0);
      lifted();
      return `by ${jumps.join(', ')} s`;
    },
  },
  {
    name: 'a clock of the database that jumps',
    subject: 'database',
    // PostgreSQL measures the permitted duration of a statement by this clock, so a running statement may be cancelled.
    explains: ['refused addition', 'refused read'],
    missing: WITHOUT_COMPILER,
    run: async ({ database }, random, lifted) => {
      // By this clock, idempotency keys are kept for 24 hours: a longer jump would expire them.
      const jumps = Array.from({ length: 4 }, () => random.integer(-2 * HOUR_SECONDS, 2 * HOUR_SECONDS));
      for (const seconds of jumps) {
        database.faults.setClock(seconds);
        await delay(random.integer(300, 1_500));
      }
      database.faults.setClock(0);
      lifted();
      return `by ${jumps.join(', ')} s`;
    },
  },
  {
    name: 'a revoked key',
    subject: 'keys',
    explains: [],
    run: async ({ database, fleet, revoked, openedLateMs }, random, lifted) => {
      const key = await createKey(database.url, `revoked-${revoked.length}-${random.integer(0, 1_000_000)}`);
      const using = new AbortController();
      const uses = fleet.urls.map((url) => lastOpened(url, key, using.signal));
      await delay(random.integer(500, 1_500));
      const revokedAt = await revokeKey(database.url, key);
      lifted();
      revoked.push(key);
      await delay(1_500);
      using.abort();
      const late = (await Promise.all(uses)).map((at) => at - revokedAt);
      if (late.every((ms) => ms === -Infinity)) throw new Error('The key never opened');
      openedLateMs.push(Math.max(...late));
      return `opened until ${Math.round(Math.max(...late))} ms after it`;
    },
  },
];

/** Faults that begin at the same time, and the calm before them. */
export interface Step {
  readonly calmMs: number;
  readonly faults: readonly { readonly fault: Fault; readonly seed: number }[];
}

/** One of this many steps has two faults. */
const PAIR_IN = 4;

/**
 * The endless sequence of faults of a run. Each round contains every fault once, in an order that the seed decides. The seed also decides
 * every other choice. The second fault of a step is additional, so that each fault also occurs alone.
 */
export function* planOf(faults: readonly Fault[], seed: number): Generator<Step, never> {
  const random = new SeededRandom(seed);
  for (;;) {
    for (const fault of random.shuffled(faults)) {
      const others = faults.filter(({ subject }) => mayMeet(subject, fault.subject));
      const together = random.integer(1, PAIR_IN) === 1 && others.length > 0 ? [fault, random.of(others)] : [fault];
      yield {
        calmMs: random.integer(500, 2_500),
        faults: together.map((each) => ({ fault: each, seed: random.integer(0, 2 ** 31) })),
      };
    }
  }
}

/** An instance cannot learn of a revocation while the database is unavailable. It must learn of it during every other fault. */
function mayMeet(one: Subject, other: Subject): boolean {
  const subjects = new Set([one, other]);
  return subjects.size === 2 && !(subjects.has('keys') && subjects.has('database'));
}
