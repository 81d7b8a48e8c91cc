import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from './built-server.js';
import { describeUnless } from './describe-unless.js';
import { missingForPatroni, PatroniCluster } from './patroni.js';
import type { PatroniNode } from './patroni-node.js';
import { TEST_API_KEY } from './running-app.js';
import { storedPets, withClient } from './sql.js';
import { WatchingLoad, type WatchedOutcome } from './watching-load.js';

/** A fault that is injected into a primary, and the way to undo it. */
export interface Blow {
  /** @param round starts at 0 */
  strike(primary: PatroniNode, round: number): Promise<void> | void;
  mend(primary: PatroniNode, round: number): Promise<void> | void;
}

/** The figures of one change of the primary. Durations are in milliseconds. */
export interface Round {
  readonly from: string;
  readonly to: string;
  /** The time from the fault until the Patroni of another node reported that its server is the primary. */
  readonly electionMs: number;
  /** The time from then until an addition was acknowledged, for the slowest service. */
  readonly backMs: number;
  /** The time from the new primary until the last response with 503; 0 if there was no 503. */
  readonly lastRefusalMs: number;
}

export interface TrialResult {
  readonly load: WatchingLoad;
  readonly rounds: readonly Round[];
  /** Pets that were acknowledged, but are not stored under the acknowledged id and name. */
  readonly lost: readonly unknown[];
  /** Names that are stored more than once. */
  readonly doubled: readonly string[];
  /** Names that were sent with a key until they were acknowledged, but are not stored. */
  readonly keyedMissing: readonly string[];
  /** The number of different states of the servers at the end: one if all servers agree. */
  readonly states: number;
}

/** The usual trial: five rounds, with clients that pause. */
export const TRIAL = { rounds: 5, clients: 64, pauseMs: 100 };

/** The time limit of a trial, and of the start of a cluster, in milliseconds. */
export const LONG_MS = 400_000;

/** `describe` if Patroni is installed; otherwise `describe.skip`, with a line that names the missing programs. */
export const describeOnPatroni = describeUnless(missingForPatroni());

/** How long the new primary serves before the old primary returns, and again after that. */
const SERVING_MS = 2_000;

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
  const url = await program.listening();
  while ((await fetch(`${url}/health/ready`)).status !== 200) await delay(50);
  return { program, url };
}

/**
 * Injects the fault into the current primary once per round, while clients use the services. Afterwards, compares the
 * stored pets with the acknowledged pets.
 *
 * @param services the addresses of instances on the cluster, by name
 */
export async function tryOnCluster(
  cluster: PatroniCluster,
  services: Readonly<Record<string, string>>,
  blow: Blow,
  { rounds, clients, pauseMs }: { rounds: number; clients: number; pauseMs: number },
): Promise<TrialResult> {
  const load = new WatchingLoad(services, clients, pauseMs);
  const times: { from: string; to: string; struckAt: number; primaryAt: number }[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const old = await cluster.untilSettled();
      await delay(SERVING_MS);
      const struckAt = performance.now();
      await blow.strike(old, round);
      const next = await cluster.untilPrimary(old);
      times.push({ from: old.name, to: next.name, struckAt, primaryAt: performance.now() });
      await delay(SERVING_MS);
      await blow.mend(old, round);
    }
    await cluster.untilSettled();
    await delay(SERVING_MS);
  } finally {
    await load.stop();
  }
  const ends = [...times.slice(1).map(({ struckAt }) => struckAt), Infinity];
  return {
    load,
    rounds: times.map(({ from, to, struckAt, primaryAt }, index) => ({
      ...{ from, to },
      electionMs: Math.round(primaryAt - struckAt),
      ...recovery(load.outcomes, Object.keys(services), primaryAt, ends[index]!),
    })),
    ...(await compare(cluster, load)),
  };
}

function recovery(
  outcomes: readonly WatchedOutcome[],
  services: readonly string[],
  primaryAt: number,
  end: number,
): { backMs: number; lastRefusalMs: number } {
  const since = outcomes.filter(({ endedAt }) => endedAt > primaryAt && endedAt < end);
  const firsts = services.map(
    (name) => since.find(({ service, status }) => service === name && status === 201)?.endedAt ?? Infinity,
  );
  const lastRefusal = since.filter(({ status }) => status === 503).at(-1)?.endedAt ?? primaryAt;
  return {
    backMs: Math.round(Math.max(...firsts) - primaryAt),
    lastRefusalMs: Math.round(lastRefusal - primaryAt),
  };
}

async function compare(
  cluster: PatroniCluster,
  load: WatchingLoad,
): Promise<Pick<TrialResult, 'lost' | 'doubled' | 'keyedMissing' | 'states'>> {
  const primary = await cluster.untilPrimary();
  const stored = await storedPets(cluster.directUrl(primary));
  const times = new Map<string, number>();
  for (const name of stored.values()) times.set(name, (times.get(name) ?? 0) + 1);
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
  return {
    lost: load.acknowledged.filter(({ id, name }) => stored.get(id) !== name),
    doubled: [...times].filter(([, count]) => count > 1).map(([name]) => name),
    keyedMissing: [...load.keyed].filter((name) => !times.has(name)),
    states: new Set(digests).size,
  };
}

/** Responses that a service on a cluster must never give, whatever fault is injected into the cluster. */
export function unexpected({ outcomes }: WatchingLoad): WatchedOutcome[] {
  return outcomes.filter(({ status, fault }) => fault !== undefined || ![200, 201, 503].includes(status));
}

/** The longest allowed time without an acknowledged addition after a new primary is there. */
const BACK_WITHIN_MS = 5_000;

/**
 * Fails unless every acknowledged pet is stored exactly once on every server, each new primary accepted additions in
 * time, and every response was current and either a success or a valid 503.
 */
export function expectNothingLost({ load, rounds, lost, doubled, keyedMissing, states }: TrialResult): void {
  expect(load.acknowledged.length).toBeGreaterThan(1_000);
  expect({ lost, doubled, keyedMissing }).toEqual({ lost: [], doubled: [], keyedMissing: [] });
  expect(states).toBe(1);
  expect(load.stale).toEqual([]);
  expect(unexpected(load)).toEqual([]);
  expect(rounds.filter(({ from, to }) => from === to)).toEqual([]);
  expect(rounds.filter(({ backMs }) => backMs > BACK_WITHIN_MS)).toEqual([]);
}

/** The figures of a trial, for a proof. */
export function figuresOf({ load, rounds, lost, doubled }: TrialResult): Record<string, number | string> {
  const range = (values: readonly number[]) => `${Math.min(...values)} to ${Math.max(...values)} ms`;
  return {
    'changes of the primary': rounds.length,
    requests: load.outcomes.length,
    'acknowledged pets': load.acknowledged.length,
    lost: lost.length,
    doubled: doubled.length,
    reads: load.outcomes.filter(({ kind, status }) => status === 200 && (kind === 'get' || kind === 'list')).length,
    'stale reads': load.stale.length,
    'answers other than success and 503': unexpected(load).length,
    'new primary after': range(rounds.map(({ electionMs }) => electionMs)),
    'additions back after another': range(rounds.map(({ backMs }) => backMs)),
  };
}

/** A summary of a trial for human readers. */
export function describeTrial(title: string, { load, rounds, lost, doubled }: TrialResult): string {
  const counts = new Map<string, number>();
  for (const { kind, status } of load.outcomes) {
    counts.set(`${kind} ${status}`, (counts.get(`${kind} ${status}`) ?? 0) + 1);
  }
  return [
    `${title}: ${load.acknowledged.length} acknowledged, ${lost.length} lost, ${doubled.length} doubled, ${load.stale.length} stale`,
    [...counts].map(([kind, count]) => `${kind}: ${count}`).join(', '),
    ...rounds.map(
      ({ from, to, electionMs, backMs, lastRefusalMs }) =>
        `  ${from} -> ${to}: new primary after ${electionMs} ms, additions ${backMs} ms later, last 503 ${lastRefusalMs} ms later`,
    ),
    ...load.stale.slice(0, 5).map((stale) => `  stale: ${JSON.stringify({ ...stale, ids: stale.ids.slice(0, 3) })}`),
    ...unexpected(load)
      .slice(0, 5)
      .map((outcome) => `  unexpected: ${JSON.stringify(outcome)}`),
  ].join('\n');
}
