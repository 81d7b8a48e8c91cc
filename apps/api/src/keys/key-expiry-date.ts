import { MAX_DURATION_MS } from './key-lifetime.js';
import { LifetimeError } from './lifetime.error.js';

/** Year, month and day as written, then optionally a time with its offset (RFC 3339, section 5.6, minutes at least). */
const INSTANT =
  /^(?<date>[0-9]{4}-[0-9]{2}-[0-9]{2})(?:T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?(?:Z|[+-][0-9]{2}:[0-9]{2}))?$/;

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
