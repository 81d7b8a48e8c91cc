import { setTimeout as delay } from 'node:timers/promises';
import type { Site } from './site.js';

/** Something goes wrong, and is made good again. */
export interface Incident {
  /** What goes wrong, for people. */
  readonly title: string;
  /** The alerts that must fire. */
  readonly fires: readonly string[];
  /** Those that may fire as well, because the same incident makes other things go wrong. */
  readonly alongside?: readonly string[];
  /** Lets it happen. @returns what makes it good again */
  readonly cause: () => Promise<() => Promise<void>>;
}

/** With the rules in fast motion: 2 minutes are an hour. */
const FIRES_WITHIN_MS = 90_000;
const RESOLVES_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 500;

/** Lets nothing happen but the normal load: no alert may fire. */
export async function expectQuiet(site: Site, seconds: number): Promise<void> {
  const from = Date.now();
  await delay(seconds * 1000);
  expect([...(await site.prometheus.firedBetween(from, Date.now())).keys()]).toEqual([]);
}

/**
 * Lets incidents happen that do not disturb each other. Those of `fires` must all fire, and nothing unexpected; made good
 * again, nothing fires any more.
 *
 * @returns what was told after how many seconds, for people, by the titles of the incidents
 */
export async function expectTold(site: Site, ...incidents: readonly Incident[]): Promise<Record<string, string>> {
  const { prometheus } = site;
  expect(await prometheus.firing()).toEqual([]);
  const expected = incidents.flatMap(({ fires }) => fires);
  const allowed = new Set([...expected, ...incidents.flatMap(({ alongside = [] }) => alongside)]);
  const startedAt = Date.now();
  const ends = await Promise.all(incidents.map((incident) => incident.cause()));

  // Not those that fire at one moment: one may be over while another is still to come.
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
  return Object.fromEntries(incidents.map(({ title, fires }) => [title, [...fires.map(told), resolved].join(', ')]));
}

/** @throws Error with what is left after the time */
async function untilEmpty(look: () => Promise<readonly string[]>, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const left = await look();
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Still waiting after ${withinMs / 1000} s for: ${left.join(', ')}`);
    await delay(LOOK_EVERY_MS);
  }
}
