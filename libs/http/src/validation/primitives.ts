import type { ArgumentMetadata } from '@nestjs/common';
import { RequestError } from '../errors/request.errors.js';
import { MUST_BE_SAFE } from './sent-values.js';

/**
 * What Nest's `ValidationPipe` makes of a parameter that is declared as a `number` or a `boolean`. Unlike there, what is no
 * number, and what neither says true nor false, stays as it was sent, so that the parameter's own pipe refuses it: with `NaN`
 * a `DefaultValuePipe` would put the default in its place.
 *
 * @throws RequestError where a number would be rounded
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

/** A query is shared between requests: a handler gets one that it may change. */
function ownCopy(query: object): object {
  return Object.assign(Object.create(null) as object, query);
}
