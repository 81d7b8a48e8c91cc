import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from '../../support/built-program.js';
import { describeUnless } from '../../support/describe-unless.js';
import { untilReady } from '../../support/fleet.js';
import { Ledger, readStoredPets } from '../../support/ledger.js';
import type { PatroniNode } from './patroni-node.js';
import { missingForPatroni, type PatroniCluster } from './patroni.js';
import { TEST_API_KEY } from '../../support/running-app.js';
import { withClient } from '../../support/database-client.js';
import { countOf, WatchfulClients, worstOf } from '../../support/watchful-clients.js';

/** A fault that is injected into a primary, and the way to undo it. */
export interface Blow {
  /** @param round starts at 0; a fault with two forms alternates between them */
  strike(primary: PatroniNode, round: number): Promise<void> | void;
  mend(primary: PatroniNode, round: number): Promise<void> | void;
}

/** The faults of a primary, by name. */
export const BLOWS: Readonly<Record<string, Blow>> = {
  'kill -9 of its machine, and of the server alone in turn': {
    strike: (primary, round) => primary.kill(round % 2 === 0 ? 'everything' : 'postgres'),
    mend: (primary, round) => {
      if (round % 2 === 0) primary.start();
    },
  },
  'stopped in its tracks and let go on: server and Patroni, and Patroni alone in turn': {
    strike: (primary, round) => {
      primary.freeze(round % 2 === 0 ? 'everything' : 'patroni');
    },
    mend: (primary) => {
      primary.thaw();
    },
  },
  'cut off: from the cluster alone, so that the service still reaches it, and from everybody in turn': {
    strike: (primary, round) => {
      primary.cut(round % 2 === 0 ? 'cluster' : 'everybody');
    },
    mend: (primary) => {
      primary.mend();
    },
  },
  'a switchover on purpose': {
    strike: (primary) => primary.switchOver(),
    mend: () => undefined,
  },
};

/** The figures of one change of the primary. Durations are in milliseconds. */
interface Round {
  readonly from: string;
  readonly to: string;
  /** The time from the fault until the Patroni of another node reported that its server is the primary. */
  readonly electionMs: number;
  /** The time from then until an addition was acknowledged, for the slowest service. */
  readonly backMs: number;
}

export interface TrialResult {
  readonly clients: WatchfulClients;
  readonly ledger: Ledger;
  readonly rounds: readonly Round[];
  /** The differences between the stored pets and the answers that clients received. */
  readonly lies: readonly string[];
  /** The number of different states of the servers at the end: one if all servers agree. */
  readonly states: number;
}

const CLIENTS = 64;
const PAUSE_MS = 100;

/** The time limit of a trial, and of the start of a cluster, in milliseconds. */
export const LONG_MS = 400_000;

/** `describe` if Patroni is installed; otherwise `describe.skip`, with a line that names the missing programs. */
export const describeOnPatroni = describeUnless(missingForPatroni());

/** How long the new primary serves before the old primary returns, and again after that. */
const SERVING_MS = 2_000;

const ADDED_TIMEOUT_MS = 60_000;

/** Starts a service with the settings of production. */
export async function startService(
  environment: Record<string, string>,
): Promise<{ program: BuiltProgram; url: string }> {
  const program = new BuiltProgram('main', {
    NODE_ENV: 'production',
    BOOTSTRAP_API_KEY: TEST_API_KEY,
    SHUTDOWN_DELAY_SECONDS: '0',
    LOG_LEVEL: 'warn',
    ...environment,
  });
  return { program, url: await untilReady(program) };
}

/**
 * Injects the fault into the current primary once per round, while clients use the services, until each service adds
 * pets on the new primary. Afterwards, compares the stored pets with the acknowledged pets.
 *
 * @param urls the addresses of instances on the cluster
 */
export async function tryOnCluster(
  cluster: PatroniCluster,
  urls: readonly string[],
  blow: Blow,
  rounds: number,
): Promise<TrialResult> {
  const ledger = new Ledger();
  const clients = new WatchfulClients(
    { target: (choose) => choose(urls), clients: CLIENTS, pauseMs: PAUSE_MS },
    ledger,
  );
  const times: { from: string; to: string; struckAt: number; primaryAt: number }[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const old = await cluster.untilSettled();
      await delay(SERVING_MS);
      const struckAt = performance.now();
      await blow.strike(old, round);
      const next = await cluster.untilPrimary(old);
      const primaryAt = performance.now();
      times.push({ from: old.name, to: next.name, struckAt, primaryAt });
      await untilAdded(clients, urls, primaryAt);
      await delay(SERVING_MS);
      await blow.mend(old, round);
    }
    await cluster.untilSettled();
    await delay(SERVING_MS);
  } finally {
    await clients.stop();
  }
  return {
    clients,
    ledger,
    rounds: times.map(({ from, to, struckAt, primaryAt }) => ({
      ...{ from, to },
      electionMs: Math.round(primaryAt - struckAt),
      backMs: Math.round(Math.max(...urls.map((url) => firstAddition(clients, url, primaryAt))) - primaryAt),
    })),
    lies: ledger.compare(await readStoredPets(cluster.directUrl(await cluster.untilPrimary()))),
    states: await statesOf(cluster),
  };
}

/** Resolves when each service has added a pet after this time. @throws Error if the old primary had to return first */
async function untilAdded(clients: WatchfulClients, urls: readonly string[], after: number): Promise<void> {
  const deadline = performance.now() + ADDED_TIMEOUT_MS;
  while (urls.some((url) => firstAddition(clients, url, after) === Infinity)) {
    if (performance.now() > deadline) throw new Error('There is a new primary, but a service adds no pets');
    await delay(50);
  }
}

/** When the first addition through a service was acknowledged after this time. */
function firstAddition({ successes }: WatchfulClients, url: string, after: number): number {
  return (
    successes.find((success) => success.url === url && success.adds && success.endedAt > after)?.endedAt ?? Infinity
  );
}

async function statesOf(cluster: PatroniCluster): Promise<number> {
  const digests = await Promise.all(
    cluster.nodes.map((node) =>
      withClient(cluster.directUrl(node), async (client) => {
        const digest = await client.query<{ digest: string }>(
          `select md5(string_agg(id || ' ' || name, ',' order by id)) as digest from pets`,
        );
        return digest.rows[0]?.digest;
      }),
    ),
  );
  return new Set(digests).size;
}

/**
 * Fails unless every acknowledged pet is stored exactly once on every server, and every response was current and either
 * a success or a valid 503.
 */
export function expectNothingLost({ clients, ledger, rounds, lies, states }: TrialResult): void {
  expect(ledger.count('acknowledged')).toBeGreaterThan(1_000);
  expect(lies.slice(0, 20)).toEqual([]);
  expect(states).toBe(1);
  expect(worstOf(clients.failed.filter(({ failure }) => !failure.startsWith('refused')))).toEqual([]);
  expect(rounds.filter(({ from, to }) => from === to)).toEqual([]);
}

/** The figures of a trial. */
export function figuresOf({ clients, ledger, rounds, lies }: TrialResult): Record<string, number | string> {
  const range = (values: readonly number[]) => `${Math.min(...values)} to ${Math.max(...values)} ms`;
  return {
    'changes of the primary': rounds.map(({ from, to }) => `${from} to ${to}`).join(', '),
    'requests that succeeded': clients.successes.length,
    'requests that failed': countOf(clients.failed),
    'acknowledged pets': ledger.count('acknowledged'),
    'lost, doubled, or there though refused': lies.length,
    'new primary after': range(rounds.map(({ electionMs }) => electionMs)),
    'additions back after another': range(rounds.map(({ backMs }) => backMs)),
  };
}
