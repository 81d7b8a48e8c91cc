import type { ArgumentMetadata } from '@nestjs/common';
import { RequestError } from '../errors/request.errors.js';
import { MUST_BE_SAFE } from './sent-values.js';

/**
 * Converts a parameter of the type `number` or `boolean` like Nest's `ValidationPipe`. Unlike there, a text that is not
 * a number, or neither `true` nor `false`, stays a text, so that the parameter's own pipe refuses it: a
 * `DefaultValuePipe` would replace `NaN` by the default.
 *
 * @throws RequestError if a number would be rounded
 */
export function primitiveOf(value: unknown, { type, metatype, data }: ArgumentMetadata): unknown {
  if (type !== 'query' && type !== 'param') return value;
  if (data === undefined) return Object.isFrozen(value) ? ownCopy(value as object) : value;
  if (typeof value !== 'string') return value;
  if (metatype === Boolean) return value === 'true' || (value === 'false' ? false : value);
  if (metatype !== Number) return value;
  const number = value.trim() === '' ? NaN : Number(value);
  if (Number.isNaN(number)) return value;
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER) {
    throw RequestError.invalid([`${data} ${MUST_BE_SAFE}`]);
  }
  return number;
}

/** Requests share a query: this handler gets a copy that it may change. */
function ownCopy(query: object): object {
  return Object.assign(Object.create(null) as object, query);
}
