import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../support/database-client.js';
import type { ProbedProcess } from './process-probe.js';

const MEBIBYTE = 1024 ** 2;

/** How much a value may grow in an hour, and in the whole run. The larger of the two bounds counts. */
interface Bound {
  readonly name: string;
  readonly perHour: number;
  readonly perRun: number;
  readonly read: (sample: Sample) => number;
}

/**
 * The values that must not grow during a run. A request that leaks 100 bytes costs 100 MiB in an hour at 300 requests a second;
 * the rest of each bound is for noise: memory that Node keeps for later, or a connection that a client has just opened.
 */
const BOUNDS: readonly Bound[] = [
  { name: 'heap behind a collection (MiB)', perHour: 4, perRun: 1.5, read: ({ heapUsed }) => heapUsed / MEBIBYTE },
  { name: 'resident memory (MiB)', perHour: 24, perRun: 12, read: ({ rss }) => rss / MEBIBYTE },
  { name: 'descriptors', perHour: 4, perRun: 4, read: ({ descriptors }) => descriptors },
  { name: 'resources of the event loop', perHour: 4, perRun: 4, read: ({ resources }) => resources },
  { name: 'connections of the database', perHour: 1, perRun: 1, read: ({ connections }) => connections },
  { name: 'prepared statements', perHour: 1, perRun: 1, read: ({ preparedStatements }) => preparedStatements },
];

export interface Sample extends ProbedProcess {
  /** By `performance.now()`. */
  readonly takenAt: number;
  readonly descriptors: number;
  readonly connections: number;
}

/**
 * A run is divided into this many parts, and the lowest value of each counts: while the machine is slow, clients have more
 * connections open at the same time.
 */
const PARTS = 30;

/** How the lowest values developed, for the output and for the assertion. */
export interface Trend {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly growthPerHour: number;
  readonly isFlat: boolean;
}

/** Takes a sample of the service every few seconds until `signal` is aborted. */
export async function takeSamples(
  service: { readonly pid: number; readonly probeUrl: string; readonly databaseUrl: string },
  everyMs: number,
  signal: AbortSignal,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (!signal.aborted) {
    const probed = (await (await fetch(service.probeUrl)).json()) as ProbedProcess;
    const descriptors = readdirSync(`/proc/${service.pid}/fd`).length;
    const connections = await connectionsOf(service.databaseUrl);
    samples.push({ ...probed, takenAt: performance.now(), descriptors, connections });
    await delay(everyMs, undefined, { signal }).catch(() => undefined);
  }
  return samples;
}

/** The number of connections of the service alone: its connections have its application name. */
async function connectionsOf(url: string): Promise<number> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ count: number }>(
      `select count(*)::integer as count from pg_stat_activity
       where datname = current_database() and application_name like 'animal-store%'`,
    ),
  );
  return rows[0]!.count;
}

/** @param samples without the samples of the warm-up */
export function trendsOf(samples: readonly Sample[]): Trend[] {
  const hours = (samples.at(-1)!.takenAt - samples[0]!.takenAt) / 3_600_000;
  return BOUNDS.map(({ name, perHour, perRun, read }) => {
    const points = samples.map((sample) => ({ at: sample.takenAt / 3_600_000, value: read(sample) }));
    const lowest = lowestOfEvery(Math.ceil(points.length / PARTS), points);
    const growth = growthPerHour(lowest);
    const isFlat = growth * hours <= Math.max(perHour * hours, perRun);
    const [first, last] = [lowest[0]!.value, lowest.at(-1)!.value];
    return { name, first: rounded(first), last: rounded(last), growthPerHour: rounded(growth), isFlat };
  });
}

/** A table for the output: one line for each of about twenty samples. */
export function table(samples: readonly Sample[]): string {
  const every = Math.max(1, Math.floor(samples.length / 20));
  return samples
    .filter((_, index) => index % every === 0)
    .map((sample) => {
      const minutes = (sample.takenAt - samples[0]!.takenAt) / 60_000;
      return `minute ${minutes.toFixed(1)}: ${BOUNDS.map(({ name, read }) => `${rounded(read(sample))} ${name}`).join(', ')}`;
    })
    .join('\n');
}

export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A value at one time. */
interface Point {
  /** In hours. */
  readonly at: number;
  readonly value: number;
}

/**
 * How much a value grows in an hour: the median of the slopes between every two points (Theil and Sen). Up to 29 % of
 * outliers do not change the median. The growth is 0 for fewer than two points.
 */
function growthPerHour(points: readonly Point[]): number {
  const slopes = points.flatMap((from, index) =>
    points.slice(index + 1).map((to) => (to.value - from.value) / (to.at - from.at)),
  );
  return slopes.length === 0 ? 0 : median(slopes);
}

/**
 * The lowest point of every `size` points in their order. A value that depends on what clients do at the moment, such as open
 * connections, returns to the same lowest value; what leaks stays.
 */
function lowestOfEvery(size: number, points: readonly Point[]): Point[] {
  const groups = Array.from({ length: Math.ceil(points.length / size) }, (_, index) =>
    points.slice(index * size, (index + 1) * size),
  );
  return groups.map((group) => group.reduce((lowest, point) => (point.value < lowest.value ? point : lowest)));
}

/** @throws Error if there are no values */
function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('There is no median of nothing');
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
