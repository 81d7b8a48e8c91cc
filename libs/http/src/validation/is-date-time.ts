import { isISO8601, isRFC3339 } from 'class-validator';

/** Whether the value is a date and time of RFC 3339 whose day exists, in a year from 1 to 9999 in UTC. */
export function isDateTime(value: unknown): boolean {
  if (!isRFC3339(value) || !isISO8601(value, { strictSeparator: true })) return false;
  const text = value as string;
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999 && isDay(text.slice(0, 10));
}

/**
 * Whether a day such as `2026-12-24` exists. The strict `isISO8601` reads the years 1 to 99 as years of the 20th
 * century.
 */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
