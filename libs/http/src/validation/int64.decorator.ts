import { applyDecorators } from '@nestjs/common';
import { INT64_MAX, INT64_MIN, isInt64, parseInt64 } from '@animal-store/kernel';
import { Transform, type ClassTransformOptions, type TransformFnParams } from 'class-transformer';
import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';
import { isRoundedFraction, toBigInt } from '../json/exact-json.js';

/** The name of the rule. */
export const IS_INT64 = 'isInt64';

/** An option of class-transformer, of our own: the values are texts, those of a query or a path. */
const fromTexts = Symbol('from texts');

interface Options extends ClassTransformOptions {
  readonly [fromTexts]?: boolean;
}

/** What class-transformer is to be told of values that are texts: the digits of one may then be an integer. */
export const FROM_TEXTS: Options = { [fromTexts]: true };

/** How an int64 is written, at the end of a sentence: in a query it is another way. */
export const AS_JSON_NUMBER = ', written as a JSON number';
export const AS_DIGITS = ', written in plain decimal digits';

/**
 * The field is a `bigint` that fits 64 bits, exact from the body or the query on. In JSON it is a number: `1.0` and `1e3` are
 * integers, a text is none. In a query it is plain decimal digits. `{ each: true }`: every element of a list is.
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

/** Whether a function given to class-transformer's `@Transform` is the one of {@link IsInt64}. */
export function isInt64Transform(transform: unknown): boolean {
  return transform === read;
}

function read({ value, key, obj, options }: TransformFnParams): unknown {
  const parent = obj as Record<string, unknown>;
  const isText = (options as Options)[fromTexts] === true;
  // What class-transformer hands over of a list is a copy, of which nothing is noted.
  const name = Object.hasOwn(parent, key) ? key : originalName(parent, value);
  const integer = name === undefined ? toBigInt(value, {}, key) : toBigInt(parent[name], parent, name);
  return isText ? textToInt64(integer) : integer;
}

/** A `bigint` where a value of a query or a path is an int64, or a list of such values; another value as it is. */
export function textToInt64(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(textToInt64);
  return typeof value === 'string' ? (parseInt64(value) ?? value) : value;
}

/** Under which name a value was sent that `@Expose` gives another one. Where several may be it, the one that is not exact. */
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
