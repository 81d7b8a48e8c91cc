import { setTimeout as delay } from 'node:timers/promises';
import { loseConnections } from '../support/lost-connections.js';
import type { SeededRandom } from '../support/seeded-random.js';
import { withClient } from '../support/sql.js';
import type { ChaosDatabase } from './chaos-database.js';
import type { Failure } from './failures.js';
import type { Fleet } from './fleet.js';
import type { Subject } from './plan.js';
import { WITHOUT_COMPILER } from './process-faults.js';
import { createKey, lastOpened, revokeKey, type StoredKey } from './revocation.js';
import { WITHOUT_MOUNT } from './small-disk.js';

/** What faults are done to. */
export interface World {
  readonly database: ChaosDatabase;
  readonly fleet: Fleet;
  /** Keys that were revoked, for good. */
  readonly revoked: StoredKey[];
  /** How long after its revocation a key still opened, in milliseconds: one for each. */
  readonly openedLateMs: number[];
}

/** Something that goes wrong. */
export interface Fault {
  readonly name: string;
  readonly subject: Subject;
  /** The failures that clients may see meanwhile: of those that the contract promises will not be, none. */
  readonly explains: readonly Failure[];
  /** Whether clients must notice: else it was not there. */
  readonly isFelt?: boolean;
  /** Why it cannot be tried here, and how to change that. */
  readonly missing?: string | undefined;
  /**
   * Resolves when all is as it was.
   *
   * @param lifted is called when the reason of failures is gone: from then on clients recover
   * @returns what was done, for people
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
      // The other one serves: that nothing is there any more is what the balancer finds at once.
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
    // Reads go on.
    explains: ['refused addition'],
    isFelt: true,
    missing: WITHOUT_MOUNT,
    run: async ({ database }, random, lifted) => {
      const fullMs = random.integer(3_000, 7_000);
      await withClient(database.url, (client) => client.query('checkpoint'));
      database.data.fill();
      await delay(fullMs);
      database.data.clear();
      lifted();
      return `${fullMs} ms`;
    },
  },
  {
    name: 'a full disk of the write-ahead log',
    subject: 'database',
    // PostgreSQL ends where it cannot write its log, and a supervisor starts it again.
    explains: EVERYTHING,
    isFelt: true,
    missing: WITHOUT_MOUNT,
    run: async ({ database }, random, lifted) => {
      const fullMs = random.integer(1_000, 4_000);
      database.wal.fill();
      // Takes a segment of the log that there is no room for; so the server ends, and cannot answer this.
      await withClient(database.url, (client) => {
        client.on('error', () => undefined);
        return client.query(
          'select pg_switch_wal() from generate_series(1, 20) as n where pg_logical_emit_message(true, $1, n::text) is not null',
          ['chaos'],
        );
      }).catch(() => undefined);
      await delay(fullMs);
      database.wal.clear();
      await database.ensureRunning();
      lifted();
      return `${fullMs} ms`;
    },
  },
  {
    name: 'a slow disk',
    subject: 'database',
    // Reads go on, and additions too: they only take longer.
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
    run: async ({ fleet }, random, lifted) => {
      const jumps = Array.from({ length: 4 }, () => random.integer(-26 * HOUR_SECONDS, 26 * HOUR_SECONDS));
      for (const seconds of jumps) {
        const faults = fleet.faults;
        random.of(faults).setClock(seconds);
        await delay(random.integer(300, 1_500));
      }
      for (const each of fleet.faults) each.setClock(0);
      lifted();
      return `by ${jumps.join(', ')} s`;
    },
  },
  {
    name: 'a clock of the database that jumps',
    subject: 'database',
    // PostgreSQL measures how long a statement may take by that clock, so one that is under way may be ended.
    explains: ['refused addition', 'refused read'],
    missing: WITHOUT_COMPILER,
    run: async ({ database }, random, lifted) => {
      // Idempotency keys are kept for 24 hours by this clock: a longer jump would make them old.
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
