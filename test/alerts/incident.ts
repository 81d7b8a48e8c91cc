import { setTimeout as delay } from 'node:timers/promises';
import type { Firing } from './prometheus.js';
import type { MonitoredSite } from './monitored-site.js';

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

/** A tenth of failing requests spends what pages in 130 s: 1.44 % of ten minutes, of which the first is not failing whole. */
const KNOWN_WITHIN_SECONDS = 150;

/** The short window of the rules, a scrape and an evaluation, and some seconds in which callers stop waiting. */
const OVER_WITHIN_SECONDS = 100;

/** A scrape, an evaluation, and some seconds in which callers still get errors: what an incident did is known no later. */
const SEEN_WITHIN_SECONDS = 30;
const LOOK_EVERY_MS = 1_000;

/** No alert may fire in so many seconds of the normal load, or while this is done. */
export async function expectQuiet(
  site: MonitoredSite,
  seconds: number,
  disturb = () => Promise.resolve(),
): Promise<void> {
  const from = Date.now();
  await Promise.all([disturb(), delay(seconds * 1000)]);
  expect(await site.prometheus.firedBetween(from, Date.now())).toEqual([]);
}

/**
 * Causes incidents that do not affect each other. All alerts of `fires` must fire in time, nothing unexpected may fire, nothing
 * may begin to fire after the repair, and what fires must end. Prints the seconds until each alert fired, and for how long it
 * went on after the repair.
 */
export async function expectTold(site: MonitoredSite, ...incidents: readonly Incident[]): Promise<void> {
  await site.forget();
  const { prometheus } = site;
  const expected = incidents.flatMap(({ fires }) => fires);
  const allowed = new Set([...expected, ...incidents.flatMap(({ alongside = [] }) => alongside)]);
  const startedAt = Date.now();
  const ends = await Promise.all(incidents.map((incident) => incident.cause()));

  // All alerts since the start are counted: one may have ended before another one fires.
  const fired = () => prometheus.firedBetween(startedAt, Date.now());
  const missing = async () => {
    const names = new Set((await fired()).map(({ alert }) => alert));
    return expected.filter((name) => !names.has(name));
  };
  let endedAt = startedAt;
  try {
    await untilEmpty(missing, startedAt + KNOWN_WITHIN_SECONDS * 1000);
  } finally {
    for (const end of ends) await end();
    endedAt = Date.now();
  }
  await untilEmpty(() => prometheus.firing(), endedAt + OVER_WITHIN_SECONDS * 1000);

  const alerts = await fired();
  const told = ({ alert, severity, from, until }: Firing) =>
    `  ${alert} (${severity}) after ${Math.round(from - startedAt / 1000)} s, ` +
    `until ${Math.round(until - endedAt / 1000)} s after the end`;
  const titles = incidents.map(({ title }) => title).join('; ');
  process.stdout.write(`${titles} (${Math.round((endedAt - startedAt) / 1000)} s):\n${alerts.map(told).join('\n')}\n`);

  const names = new Set(alerts.map(({ alert }) => alert));
  expect([...names].filter((name) => !allowed.has(name))).toEqual([]);
  expect(expected.filter((name) => !names.has(name))).toEqual([]);
  const late = alerts.filter(({ from }) => from > endedAt / 1000 + SEEN_WITHIN_SECONDS);
  expect(late.map(({ alert }) => alert)).toEqual([]);
}

/** @throws Error with the remaining names after the time limit */
async function untilEmpty(look: () => Promise<readonly string[]>, deadline: number): Promise<void> {
  for (;;) {
    const left = await look();
    if (left.length === 0) return;
    if (Date.now() > deadline) throw new Error(`Too late: ${left.join(', ')}`);
    await delay(LOOK_EVERY_MS);
  }
}
