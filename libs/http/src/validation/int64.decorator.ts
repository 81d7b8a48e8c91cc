import { applyDecorators } from '@nestjs/common';
import { INT64_MAX, INT64_MIN, isInt64, parseInt64 } from '@animal-store/kernel';
import { Transform, type ClassTransformOptions, type TransformFnParams } from 'class-transformer';
import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';
import { isRoundedFraction, toBigInt } from '../json/exact-json.js';

/** The name of the rule in class-validator. */
export const IS_INT64 = 'isInt64';

/** Our own option of class-transformer: the values are texts, from a query or a path. */
const fromTexts = Symbol('from texts');

interface Options extends ClassTransformOptions {
  readonly [fromTexts]?: boolean;
}

/** The options of class-transformer for values that are texts: the digits of a text may then be an integer. */
export const FROM_TEXTS: Options = { [fromTexts]: true };

/** How an int64 must be written, at the end of an error message: in JSON, and in a query. */
export const AS_JSON_NUMBER = ', written as a JSON number';
export const AS_DIGITS = ', written in plain decimal digits';

/**
 * The field is a `bigint` in the range of 64 bits. It stays exact from the body or the query on. In JSON it is a
 * number: `1.0` and `1e3` are integers, a string is not. In a query it is written in plain decimal digits. With `{
 * each: true }` the field is a list of such values.
 */
export function IsInt64(options?: ValidationOptions): PropertyDecorator {
  return applyDecorators(
    Transform(read, { toClassOnly: true }),
    ValidateBy(
      {
        name: IS_INT64,
        validator: {
          validate: isInt64,
          defaultMessage: (context) =>
            buildMessage(
              (each) =>
                `${each}$property ${context?.value === undefined ? 'is required and ' : ''}` +
                `must be an integer between ${INT64_MIN} and ${INT64_MAX}${AS_JSON_NUMBER}`,
              options,
            )(context),
        },
      },
      options,
    ),
  );
}

function read({ value, key, obj, options }: TransformFnParams): unknown {
  const parent = obj as Record<string, unknown>;
  const isText = (options as Options)[fromTexts] === true;
  // class-transformer passes a copy of a list, and the copy has no record of rounded numbers.
  const name = Object.hasOwn(parent, key) ? key : originalName(parent, value);
  const integer = name === undefined ? toBigInt(value, {}, key) : toBigInt(parent[name], parent, name);
  return isText ? textToInt64(integer) : integer;
}

/**
 * Converts a text of a query or a path that is an int64, or a list of such texts, to `bigint`; returns another value
 * unchanged.
 */
function textToInt64(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(textToInt64);
  return typeof value === 'string' ? (parseInt64(value) ?? value) : value;
}

/** The sent name of a value that `@Expose` renames. If several members have that value, the name of an inexact one. */
function originalName(parent: Record<string, unknown>, value: unknown): string | undefined {
  const names = Object.keys(parent).filter((name) => isSame(parent[name], value));
  return names.find((name) => isInexact(parent, name)) ?? names[0];
}

function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((element, index) => element === other[index]);
}

function isInexact(parent: Record<string, unknown>, name: string): boolean {
  const value = parent[name];
  return Array.isArray(value)
    ? value.some((_, index) => isRoundedFraction(value, String(index)))
    : isRoundedFraction(parent, name);
}
