import { applyDecorators } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { INT64_MAX, INT64_MIN, isInt64, parseInt64 } from '@animal-store/kernel';
import { Transform, type ClassTransformOptions } from 'class-transformer';
import {
  buildMessage,
  ValidateBy,
  ValidateIf,
  type ValidationArguments,
  type ValidationOptions,
} from 'class-validator';

/** The field may be missing. Unlike class-validator's `IsOptional`, this does not accept `null`. */
export function Optional(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/** Returns what a value must be, as the end of a sentence that begins with the field's name; `undefined` for a valid one. */
export type Rule = (value: unknown) => string | undefined;

/** The field must satisfy the rule. It is required unless it is also {@link Optional}. */
export function Satisfies(rule: Rule, options?: ValidationOptions): PropertyDecorator {
  return ruleOf('satisfies', rule, options);
}

/**
 * The field is a text of `min` to `max` characters (Unicode code points) that is stored unchanged: without NUL, which
 * PostgreSQL refuses, and without half of a surrogate pair, which its driver would replace.
 */
export function IsText(min: number, max: number, options?: ValidationOptions): PropertyDecorator {
  const rule = (value: unknown) => {
    // A code point has one or two UTF-16 units, so a text of more than twice `max` units is not counted.
    const length = typeof value !== 'string' || value.length > 2 * max ? Infinity : Array.from(value).length;
    if (length < min || length > max) return `must be a string of ${min} to ${max} characters`;
    const isStored = (value as string).isWellFormed() && !(value as string).includes('\0');
    return isStored ? undefined : 'must have neither NUL nor half of a surrogate pair';
  };
  return ruleOf('isText', rule, options);
}

/** How an int64 must be written, at the end of an error message: in JSON, and in a query. */
export const AS_JSON_NUMBER = ', written as a JSON number';
export const AS_DIGITS = ', written in plain decimal digits';

/** The option of class-transformer that says that all values are texts: of a query, or of the parameters of a path. */
export const FROM_STRINGS: ClassTransformOptions & { readonly fromStrings?: boolean } = { fromStrings: true };

/**
 * The field is a `bigint` in the range of 64 bits, with `{ each: true }` a list of them. In JSON it is a number: `1.0` and `1e3`
 * are integers, a string is not. In a query it is written in plain decimal digits.
 */
export function IsInt64(options?: ValidationOptions): PropertyDecorator {
  const rule = (value: unknown) =>
    isInt64(value) ? undefined : `must be an integer between ${INT64_MIN} and ${INT64_MAX}${AS_JSON_NUMBER}`;
  return applyDecorators(
    Transform(({ value, options: { fromStrings } }: { value: unknown; options: typeof FROM_STRINGS }) =>
      toBigInt(value, fromStrings === true),
    ),
    ruleOf('isInt64', rule, options),
  );
}

/** Converts an integer, or a list of integers, to `bigint`; returns another value unchanged, which the rule refuses. */
function toBigInt(value: unknown, fromStrings: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => toBigInt(one, fromStrings));
  if (fromStrings) return typeof value === 'string' ? (parseInt64(value) ?? value) : value;
  // An integer beyond 2^53-1 was parsed as a `bigint`.
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

/** A decorator of class-validator whose message says what the value must be, and that a missing one is required. */
function ruleOf(name: string, rule: Rule, options?: ValidationOptions): PropertyDecorator {
  const faultOf = (context: ValidationArguments | undefined) => {
    // With `each` the value is the list, and the message is for the element that breaks the rule.
    const values =
      options?.each === true && Array.isArray(context?.value) ? (context.value as unknown[]) : [context?.value];
    const fault = values.map(rule).find((found) => found !== undefined) ?? '';
    return `${context?.value === undefined ? 'is required and ' : ''}${fault}`;
  };
  return ValidateBy(
    {
      name,
      validator: {
        validate: (value) => rule(value) === undefined,
        defaultMessage: (context) => buildMessage((each) => `${each}$property ${faultOf(context)}`, options)(context),
      },
    },
    options,
  );
}

/**
 * Queries of this class with the same text are validated once, and all handlers get the same frozen instance: no rule and no
 * `@Transform()` of the class may depend on the time, on stored data or on the request. A class that extends this one needs its
 * own declaration.
 */
export const CachedQuery = Reflector.createDecorator<undefined, boolean>({ transform: () => true });
