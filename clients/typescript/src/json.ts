/**
 * Reads and writes JSON with exact 64-bit integers: `JSON.parse` turns 9007199254740993 into 9007199254740992.
 *
 * A large integer becomes a string for a moment, with a mark before its digits. The mark is random, so no text can hold it.
 */
import { newId } from './new-id.js';

/** The members that the OpenAPI document declares as int64. */
const INT64_MEMBERS: readonly string[] = ['id', 'categoryId'];

const MAX_INT64 = 2n ** 63n - 1n;

/** A longer integer is not converted: the time for that grows faster than its length. */
const INTEGER = /^-?[0-9]{16,40}$/;

/** A string of a JSON text, or a number. In valid JSON it never backtracks. */
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?[0-9][0-9.eE+-]*/g;

/**
 * Parses JSON without rounding an integer: `parse(text) as Animal[]`. The integers of `id` and `categoryId` become `bigint`.
 * Others become `number`, or `bigint` if a number would have other digits.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function parse(text: string): unknown {
  // The pattern needs valid JSON.
  JSON.parse(text);
  const mark = newId();
  const marked = text.replace(STRING_OR_NUMBER, (token) =>
    INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${mark}${token}"` : token,
  );
  return JSON.parse(marked, (name, value: unknown) => {
    const isInt64Member = INT64_MEMBERS.includes(name);
    if (typeof value !== 'string' || !value.startsWith(mark))
      return isInt64Member && Number.isSafeInteger(value) ? BigInt(value as number) : value;
    const integer = BigInt(value.slice(mark.length));
    return isInt64Member || String(Number(integer)) !== String(integer) ? integer : Number(integer);
  });
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

/** Whether {@link parse} has read a 64-bit integer. */
export function isInt64(value: unknown): value is bigint {
  return typeof value === 'bigint' && value <= MAX_INT64 && value >= -MAX_INT64 - 1n;
}

/** The digits of an integer. @throws TypeError if it is no integer, or a number that has lost digits */
export function digitsOf(value: bigint | number): string {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value))
    throw new TypeError(`${String(value)} is no exact integer: write ids beyond 2^53 as bigint`);
  return String(value);
}
