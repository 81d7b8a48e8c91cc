import { digitsOf, replaceInt64, type Int64Places } from './int64.js';

/** JSON in which 64-bit integers keep every digit: `JSON.parse` makes 9007199254740992 of 9007199254740993. */

type Reviver = (name: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** What engines have since 2025 (https://tc39.es/proposal-json-parse-with-source), and their types do not yet. */
interface SourceTextJson {
  parse(text: string, reviver?: Reviver): unknown;
  rawJSON?: (text: string) => unknown;
}

const MAX_INT64 = 2n ** 63n - 1n;

/** A run of digits that a number may be too small for. */
const MANY_DIGITS = /[0-9]{16}/;

/** A string of a JSON text, with the colon that follows a name, or a number of it. In a valid text it never backtracks. */
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"(\s*:)?|-?[0-9][0-9.eE+-]*/g;

/**
 * @param int64 where the 64-bit integers are: they become `bigint`, and every other number a `number`
 * @throws SyntaxError where the text is no JSON
 * @throws TypeError where something else is at the place of a 64-bit integer
 */
export function parseJson(text: string, int64: Int64Places): unknown {
  return replaceInt64(MANY_DIGITS.test(text) ? parseDigits(text) : JSON.parse(text), int64, toInt64, Number);
}

/**
 * @param int64 where the 64-bit integers are: `bigint`, or `number` within 2^53
 * @throws TypeError where a number is at the place of one that has lost digits, or is no integer
 */
export function writeJson(value: unknown, int64: Int64Places): string {
  const check = (integer: unknown) => {
    if (typeof integer === 'number') digitsOf(integer);
    return integer;
  };
  replaceInt64(value, int64, check, (integer) => integer);
  const { rawJSON } = JSON as SourceTextJson;
  if (rawJSON !== undefined) return stringify(value, (integer) => rawJSON(String(integer)));
  // A letter before every string tells an integer that is written as one from a string that looks alike.
  const marked = stringify(
    value,
    (integer) => `n${integer}`,
    (string) => `s${string}`,
  );
  return marked.replace(STRING_OR_NUMBER, (token: string, colon?: string) => {
    if (!token.startsWith('"') || colon !== undefined) return token;
    return token.startsWith('"n') ? token.slice(2, -1) : `"${token.slice(2)}`;
  });
}

function stringify(
  value: unknown,
  ofBigint: (value: bigint) => unknown,
  ofString: (value: string) => unknown = (string) => string,
): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, name, member: unknown) {
    // Not the member: many programs give BigInt.prototype a toJSON that makes a string of it.
    const own = this[name];
    if (typeof own === 'bigint') return ofBigint(own);
    return typeof member === 'string' ? ofString(member) : member;
  });
}

/** Parses JSON; integers beyond 2^53 become `bigint`. */
function parseDigits(text: string): unknown {
  const json = JSON as SourceTextJson;
  const hasSources = json.parse('1', (_name, _value, context) => context?.source) === '1';
  if (hasSources)
    return json.parse(text, (_name, value, context) => (typeof value === 'number' ? exact(context?.source) : value));
  JSON.parse(text);
  // Every number as a string, and a letter before every string to tell them apart.
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
  return Number.isSafeInteger(rounded) || !/^-?[0-9]+$/.test(digits) ? rounded : BigInt(digits);
}

function toInt64(value: unknown): bigint {
  const integer =
    typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value as number | bigint) : undefined;
  if (integer === undefined || integer > MAX_INT64 || integer < -MAX_INT64 - 1n)
    throw new TypeError(`Not a 64-bit integer: ${String(value)}`);
  return integer;
}
