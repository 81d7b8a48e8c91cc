import { LifetimeError } from './lifetime.error.js';

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** The longest lifetime of a key. A key without an end is created with `never`. */
export const MAX_DURATION_MS = 100 * 365 * UNIT_MS.d;

const DURATION = /^(?<amount>[0-9]{1,12})(?<unit>[smhdw])$/;

/**
 * A duration such as `90s`, `30m`, `24h`, `90d` or `12w`, in milliseconds.
 *
 * @throws LifetimeError also beyond 100 years
 */
export function parseDuration(text: string): number {
  const { amount, unit } = DURATION.exec(text)?.groups ?? {};
  if (amount === undefined || unit === undefined)
    throw new LifetimeError('A number and a unit (s, m, h, d or w) are expected, such as 30m, 24h or 90d.');
  const duration = Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (duration > MAX_DURATION_MS) throw new LifetimeError('At most 100 years (36500d) are possible.');
  return duration;
}

/** The time {@link parseDuration} after `now`; the duration must be positive. `null` for `never`. */
export function parseExpiresIn(text: string, now: Date): Date | null {
  if (text === 'never') return null;
  const duration = parseDuration(text);
  if (duration === 0) throw new LifetimeError('More than nothing is expected, such as 24h, or never.');
  return new Date(now.getTime() + duration);
}
