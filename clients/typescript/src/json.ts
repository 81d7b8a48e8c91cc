import { digitsOf, replaceInt64, type Int64In, type Int64Places } from './int64.js';
import { newId } from './new-id.js';

/**
 * Reads and writes JSON with exact 64-bit integers: `JSON.parse` turns 9007199254740993 into 9007199254740992.
 *
 * A large integer becomes a string for a moment, with a mark before its digits. The mark is random, so no text can hold it.
 */

const MAX_INT64 = 2n ** 63n - 1n;

/** A longer integer is not converted: the time for that grows faster than its length. */
const INTEGER = /^-?[0-9]{16,40}$/;

/** A run of digits that may not fit into a number. */
const MANY_DIGITS = /[0-9]{16}/;

/** A string of a JSON text, or a number. In valid JSON it never backtracks. */
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?[0-9][0-9.eE+-]*/g;

/**
 * @param int64 the places of the 64-bit integers: they become `bigint`. All other numbers become `number`, except for integers
 *   that would be rounded.
 * @throws SyntaxError if the text is not JSON
 * @throws TypeError if a value at the place of a 64-bit integer is not a 64-bit integer, or is missing
 */
export function parseJson(text: string, int64: Int64Places): unknown {
  const value: unknown = JSON.parse(text);
  return replaceInt64(MANY_DIGITS.test(text) ? parseDigits(text) : value, int64, toInt64, numberOr);
}

/**
 * @param int64 the places of the 64-bit integers: `bigint`, or `number` within 2^53
 * @throws TypeError if a number at such a place has lost digits or is not an integer
 */
export function writeJson(value: unknown, int64: Int64Places): string {
  const check = (integer: unknown) => {
    if (typeof integer === 'number') digitsOf(integer);
    return integer;
  };
  replaceInt64(value, int64, check, (integer) => integer);
  return stringify(value);
}

/**
 * Parses JSON that {@link stringify} wrote, or that came from the service, without rounding an integer:
 * `parse<Animal>(text, ANIMAL)`.
 *
 * @param int64 the places of the 64-bit integers in the value. Required if the type has some: they become `bigint`
 * @throws SyntaxError if the text is not JSON
 * @throws TypeError if a value at the place of a 64-bit integer is not a 64-bit integer, or is missing
 */
export function parse<Value = unknown>(
  text: string,
  ...int64: [Int64In<Value>] extends [never] ? [] : [int64: Int64In<Value>]
): Value {
  return parseJson(text, int64[0]) as Value;
}

/**
 * Writes JSON as `JSON.stringify` does, and each `bigint` as a number with all its digits. (`JSON.stringify` throws on a `bigint`.)
 *
 * @param space the indentation, as in `JSON.stringify`
 * @throws TypeError for `undefined` and functions, which JSON has no text for
 */
export function stringify(value: unknown, space?: number | string): string {
  const mark = newId();
  function marked(this: Record<string, unknown>, name: string, member: unknown) {
    // The value itself, and not `member`: many programs add a toJSON to BigInt.prototype that returns a string.
    const own = this[name];
    return typeof own === 'bigint' ? `${mark}${own}` : member;
  }
  const text = JSON.stringify(value, marked, space) as string | undefined;
  if (text === undefined) throw new TypeError(`JSON has no text for ${typeof value}`);
  return text.replaceAll(new RegExp(`"${mark}(-?[0-9]+)"`, 'g'), '$1');
}

/** Parses valid JSON. Integers beyond 2^53 become `bigint`. */
function parseDigits(text: string): unknown {
  const mark = newId();
  const marked = text.replace(STRING_OR_NUMBER, (token) =>
    INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${mark}${token}"` : token,
  );
  return JSON.parse(marked, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}

/** The number, or the integer itself if the number would be written with other digits. */
function numberOr(integer: bigint): number | bigint {
  const number = Number(integer);
  return String(number) === String(integer) ? number : integer;
}

function toInt64(value: unknown, name: string): bigint {
  const isInteger = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  const integer = isInteger ? BigInt(value) : undefined;
  if (integer === undefined || integer > MAX_INT64 || integer < -MAX_INT64 - 1n)
    throw new TypeError(`${name} is no 64-bit integer, but ${typeof value === 'number' ? value : typeof value}`);
  return integer;
}
