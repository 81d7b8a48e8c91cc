import {
  buildMessage,
  isISO8601,
  isRFC3339,
  ValidateBy,
  ValidateIf,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';

/** The field may be missing. Unlike class-validator's `IsOptional`, this does not accept `null`. */
export function Optional(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/**
 * Returns what a value must be, as the end of a sentence that begins with the field's name; `undefined` for a valid
 * value.
 */
export type Rule = (value: unknown) => string | undefined;

/** The field must satisfy the rule. It is required unless it is also {@link Optional}. */
export function Satisfies(rule: Rule): PropertyDecorator {
  return ValidateBy({
    name: 'satisfies',
    validator: {
      validate: (value) => rule(value) === undefined,
      defaultMessage: (context) => `$property ${required(context)}${rule(context?.value) ?? ''}`,
    },
  });
}

/**
 * The field is a text of `min` to `max` characters (Unicode code points) that is stored unchanged: without NUL, which
 * PostgreSQL refuses, and without half of a surrogate pair, which its driver would replace.
 */
export function IsText(min: number, max: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isText',
      constraints: [min, max],
      validator: {
        validate: (value) => hasLength(value, min, max) && value.isWellFormed() && !value.includes('\0'),
        defaultMessage: (context) =>
          buildMessage(
            (each) =>
              `${each}$property ${required(context)}` +
              (hasLength(context?.value, min, max)
                ? 'must have neither NUL nor half of a surrogate pair'
                : 'must be a string of $constraint1 to $constraint2 characters'),
            options,
          )(context),
      },
    },
    options,
  );
}

/**
 * A code point has one or two UTF-16 units. For most texts, and every hostile one, the number of units is enough to
 * decide.
 */
function hasLength(value: unknown, min: number, max: number): value is string {
  if (typeof value !== 'string' || value.length < min || value.length > 2 * max) return false;
  if (value.length <= max && value.length >= 2 * min) return true;
  const { length } = Array.from(value);
  return length >= min && length <= max;
}

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
              `${each}$property ${required(context)}` +
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

/** The part of an error message that only a missing field has. */
function required(context: ValidationArguments | undefined): string {
  return context?.value === undefined ? 'is required and ' : '';
}
