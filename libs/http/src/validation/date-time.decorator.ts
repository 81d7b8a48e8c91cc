import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';
import { isDateTime } from './is-date-time.js';

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
