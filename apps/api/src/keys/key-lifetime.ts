const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** The longest lifetime of a key. A key without an end is created with `never`. */
const MAX_DURATION_MS = 100 * 365 * UNIT_MS.d;

const DURATION = /^(?<amount>[0-9]{1,12})(?<unit>[smhdw])$/;

/**
 * Year, month and day as written, then optionally a time with its offset (RFC 3339, section 5.6, at least with
 * minutes).
 */
const INSTANT =
  /^(?<date>[0-9]{4}-[0-9]{2}-[0-9]{2})(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?(?:Z|[+-][0-9]{2}:[0-9]{2}))?$/;

/** The text is not a valid duration or date. The message says in a sentence what is valid. */
export class LifetimeError extends Error {}

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

/**
 * A time after `now`: a date (midnight UTC at the beginning of that day), or a date and a time with its offset.
 *
 * @throws LifetimeError also for dates that do not exist, and for times without an offset, which are ambiguous
 */
export function parseExpiresAt(text: string, now: Date): Date {
  const date = INSTANT.exec(text)?.groups?.['date'];
  if (date === undefined)
    throw new LifetimeError(
      'A date such as 2027-02-28, or a time with its offset such as 2027-02-28T18:00:00Z, is expected.',
    );
  const instant = new Date(text);
  // Date reads 30 February as 2 March.
  const midnight = new Date(date);
  if (isNaN(instant.getTime()) || isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== date)
    throw new LifetimeError('There is no such date or time.');
  if (instant <= now) throw new LifetimeError('It is past already: a later date is expected.');
  if (instant.getTime() - now.getTime() > MAX_DURATION_MS)
    throw new LifetimeError('At most 100 years from now are possible.');
  return instant;
}
