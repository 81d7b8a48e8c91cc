import { setTimeout as delay } from 'node:timers/promises';
import type { Site } from './site.js';

/** A fault, and its repair. */
export interface Incident {
  /** A description of the fault, for readers. */
  readonly title: string;
  /** The alerts that must fire. */
  readonly fires: readonly string[];
  /** The alerts that may also fire, because the same incident causes other faults. */
  readonly alongside?: readonly string[];
  /** Causes the fault. @returns the function that repairs it */
  readonly cause: () => Promise<() => Promise<void>>;
}

/** For the rules in fast motion: 2 minutes stand for an hour. */
const FIRES_WITHIN_MS = 90_000;
const RESOLVES_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 500;

/** Runs only the normal load. No alert may fire. */
export async function expectQuiet(site: Site, seconds: number): Promise<void> {
  const from = Date.now();
  await delay(seconds * 1000);
  expect([...(await site.prometheus.firedBetween(from, Date.now())).keys()]).toEqual([]);
}

/**
 * Causes several incidents that do not affect each other. All alerts of `fires` must fire, and no unexpected alert may fire.
 * After the repair no alert fires any more. Prints the seconds until each alert fired.
 */
export async function expectTold(site: Site, ...incidents: readonly Incident[]): Promise<void> {
  const { prometheus } = site;
  expect(await prometheus.firing()).toEqual([]);
  const expected = incidents.flatMap(({ fires }) => fires);
  const allowed = new Set([...expected, ...incidents.flatMap(({ alongside = [] }) => alongside)]);
  const startedAt = Date.now();
  const ends = await Promise.all(incidents.map((incident) => incident.cause()));

  // All alerts since the start are counted: one alert may have ended before another one fires.
  const missing = async () => {
    const fired = await prometheus.firedBetween(startedAt, Date.now());
    return expected.filter((name) => !fired.has(name));
  };
  let endedAt: number;
  try {
    await untilEmpty(missing, FIRES_WITHIN_MS);
  } finally {
    endedAt = Date.now();
    for (const end of ends) await end();
  }
  await untilEmpty(() => prometheus.firing(), RESOLVES_WITHIN_MS);
  const resolvedAt = Date.now();

  const fired = await prometheus.firedBetween(startedAt, resolvedAt);
  expect([...fired.keys()].filter((name) => !allowed.has(name))).toEqual([]);
  expect(expected.filter((name) => !fired.has(name))).toEqual([]);
  await site.untilQuiet();
  const resolved = `quiet again after ${Math.round((resolvedAt - endedAt) / 1000)} s`;
  const told = (name: string) => `${name} after ${Math.round(fired.get(name)! - startedAt / 1000)} s`;
  for (const { title, fires } of incidents) {
    process.stdout.write(`${title}: ${[...fires.map(told), resolved].join(', ')}\n`);
  }
}

/** @throws Error with the remaining names after the time limit */
async function untilEmpty(look: () => Promise<readonly string[]>, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const left = await look();
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Still waiting after ${withinMs / 1000} s for: ${left.join(', ')}`);
    await delay(LOOK_EVERY_MS);
  }
}
