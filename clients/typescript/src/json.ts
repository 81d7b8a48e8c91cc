import { digitsOf, replaceInt64, type Int64In, type Int64Places } from './int64.js';

/** Reads and writes JSON with exact 64-bit integers. `JSON.parse` turns 9007199254740993 into 9007199254740992. */

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

/**
 * A feature of JavaScript engines since 2025 (https://tc39.es/proposal-json-parse-with-source).
 * The types of TypeScript do not declare it yet.
 */
interface SourceTextJson {
  parse(text: string, reviver?: Reviver): unknown;
  rawJSON?: (text: string) => unknown;
}

const MAX_INT64 = 2n ** 63n - 1n;

/** A longer integer is not converted: the time for that grows faster than its length. */
const INTEGER = /^-?[0-9]{1,40}$/;

/** A run of digits that may not fit into a number. */
const MANY_DIGITS = /[0-9]{16}/;

/** A string of a JSON text, with the colon that follows a member name, or a number. In valid JSON it never backtracks. */
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"(\s*:)?|-?[0-9][0-9.eE+-]*/g;

/**
 * @param int64 the places of the 64-bit integers: they become `bigint`. All other numbers become `number`, except for integers
 *   that would be rounded.
 * @throws SyntaxError if the text is not JSON
 * @throws TypeError if a value at the place of a 64-bit integer is not a 64-bit integer
 */
export function parseJson(text: string, int64: Int64Places): unknown {
  return replaceInt64(MANY_DIGITS.test(text) ? parseDigits(text) : JSON.parse(text), int64, toInt64, numberOr);
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
 * @throws TypeError if a value at the place of a 64-bit integer is not a 64-bit integer
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
 */
export function stringify(value: unknown, space?: number | string): string {
  const { rawJSON } = JSON as SourceTextJson;
  if (rawJSON !== undefined) return write(value, space, (integer) => rawJSON(String(integer)));
  // A letter before every string distinguishes an integer that was written as a string from a string of the value.
  const marked = write(
    value,
    space,
    (integer) => `n${integer}`,
    (string) => `s${string}`,
  );
  return marked.replace(STRING_OR_NUMBER, (token: string, colon?: string) => {
    if (!token.startsWith('"') || colon !== undefined) return token;
    return token.startsWith('"n') ? token.slice(2, -1) : `"${token.slice(2)}`;
  });
}

function write(
  value: unknown,
  space: number | string | undefined,
  ofBigint: (value: bigint) => unknown,
  ofString: (value: string) => unknown = (string) => string,
): string {
  function replace(this: Record<string, unknown>, name: string, member: unknown) {
    // The parameter `member` is not used: many programs add a toJSON to BigInt.prototype that returns a string.
    const own = this[name];
    if (typeof own === 'bigint') return ofBigint(own);
    return typeof member === 'string' ? ofString(member) : member;
  }
  return JSON.stringify(value, replace, space);
}

/** Parses JSON. Integers beyond 2^53 become `bigint`. */
function parseDigits(text: string): unknown {
  const json = JSON as SourceTextJson;
  const hasSources = json.parse('1', (_name, _value, context) => context?.source) === '1';
  if (hasSources)
    return json.parse(text, (_name, value, context) => (typeof value === 'number' ? exact(context?.source) : value));
  JSON.parse(text);
  // Every number becomes a string. A letter before every string distinguishes numbers from strings.
  const marked = text.replace(STRING_OR_NUMBER, (token: string, colon?: string) => {
    if (colon !== undefined) return token;
    return token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`;
  });
  return json.parse(marked, (_name, value) => {
    if (typeof value !== 'string') return value;
    return value.startsWith('s') ? value.slice(1) : exact(value.slice(1));
  });
}

function exact(digits = ''): number | bigint {
  const rounded = Number(digits);
  return Number.isSafeInteger(rounded) || !INTEGER.test(digits) ? rounded : BigInt(digits);
}

/** The number, or the integer itself if the number would be written with other digits. */
function numberOr(integer: bigint): number | bigint {
  const number = Number(integer);
  return String(number) === String(integer) ? number : integer;
}

function toInt64(value: unknown): bigint {
  const isInteger = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  const integer = isInteger ? BigInt(value) : undefined;
  if (integer === undefined || integer > MAX_INT64 || integer < -MAX_INT64 - 1n)
    throw new TypeError(`Not a 64-bit integer: ${typeof value === 'number' ? value : typeof value}`);
  return integer;
}
