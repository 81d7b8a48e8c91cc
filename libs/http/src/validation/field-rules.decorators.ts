import { applyDecorators } from '@nestjs/common';
import { INT64_MAX, INT64_MIN, isInt64 } from '@animal-store/kernel';
import { Transform } from 'class-transformer';
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

/** The name of the rule in class-validator. */
export const IS_INT64 = 'isInt64';

/** How an int64 must be written, at the end of an error message: in JSON, and in a query. */
export const AS_JSON_NUMBER = ', written as a JSON number';
export const AS_DIGITS = ', written in plain decimal digits';

export interface Int64Options extends ValidationOptions {
  readonly min?: bigint;
  readonly max?: bigint;
}

/**
 * The field is a `bigint` in the range of 64 bits. It stays exact from the body or the query on. In JSON it is a
 * number: `1.0` and `1e3` are integers, a string is not. In a query it is written in plain decimal digits. With `{
 * each: true }` the field is a list of such values. `min` and `max` narrow the range: class-validator's `@Min` and `@Max` refuse a
 * `bigint`.
 */
export function IsInt64({ min = INT64_MIN, max = INT64_MAX, ...options }: Int64Options = {}): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }) => toBigInt(value), { toClassOnly: true }),
    ValidateBy(
      {
        name: IS_INT64,
        validator: {
          validate: (value) => isInt64(value) && value >= min && value <= max,
          defaultMessage: (context) =>
            buildMessage(
              (each) =>
                `${each}$property ${required(context)}` +
                `must be an integer between ${min} and ${max}${AS_JSON_NUMBER}`,
              options,
            )(context),
        },
      },
      options,
    ),
  );
}

/** Converts an integer, or a list of integers, to `bigint`; returns another value unchanged. */
function toBigInt(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toBigInt);
  // An integer beyond 2^53-1 was parsed as a `bigint`.
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

/** The metadata key of classes of queries whose valid values are remembered. */
export const CACHED_QUERY = Symbol('cached query');

/**
 * Queries of this class with the same text are validated once, and each handler gets a copy of its own. Declare it only
 * if the same query is always valid and always means the same: no rule and no `@Transform()` of the class may depend on
 * the time, on stored data or on the request. A class that extends this one needs its own declaration.
 */
export function CachedQuery(): ClassDecorator {
  return Reflect.metadata(CACHED_QUERY, true);
}
