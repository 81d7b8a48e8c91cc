import { setTimeout as delay } from 'node:timers/promises';
import { loseConnections } from '../support/database-client.js';
import type { Fleet } from '../support/fleet.js';
import { SeededRandom } from '../support/seeded-random.js';
import type { LocalPostgresServer } from '../support/postgres-server.js';
import type { Failure } from '../support/watchful-clients.js';
import { createKey, lastOpened, revokeKey, type StoredKey } from './revocation.js';

/** What a fault acts on. Two faults at a time never act on the same subject. */
export type Subject = 'instances' | 'database' | 'keys';

/** What faults act on. */
export interface World {
  readonly database: LocalPostgresServer;
  readonly fleet: Fleet;
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
  /**
   * Injects the fault. Resolves when the fault is removed completely.
   *
   * @param lifted is called when the cause of the failures is gone: from then on clients recover
   * @returns a description of what was done, for the output
   */
  readonly run: (world: World, random: SeededRandom, lifted: () => void) => Promise<string>;
}

const EVERYTHING: readonly Failure[] = ['refused addition', 'refused read', 'refused by the balancer', 'lost'];

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
      await database.resume();
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
