import { buildMessage, isISO8601, isRFC3339, ValidateBy, type ValidationOptions } from 'class-validator';

/**
 * The field is a text with a date and time and its offset from UTC, in the format of RFC 3339 and `format: date-time`,
 * such as `2026-12-24T10:00:00Z`. The day must exist, in a year from 1 to 9999 in UTC, so that `new Date` and
 * PostgreSQL accept it.
 */
export function IsDateTime(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isDateTime',
      validator: {
        validate: isDateTime,
        defaultMessage: (context) =>
          buildMessage(
            (each) =>
              `${each}$property ${context?.value === undefined ? 'is required and ' : ''}` +
              'must be a date and time such as 2026-12-24T10:00:00Z, of the years 1 to 9999',
            options,
          )(context),
      },
    },
    options,
  );
}

function isDateTime(value: unknown): boolean {
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
