/**
 * JSON in which integers keep every digit. `JSON.parse` alone rounds 9007199254740993 to …992, and int64 is larger than
 * that.
 */
import { excerpt, RequestError } from '../errors/request.errors.js';

/** A reviver of `JSON.parse` that gets a number as it is written. This target's types do not declare the last parameter. */
type SourceTextReviver = (name: string, value: unknown, context: { source?: string }) => unknown;

/** Members of `JSON` that the types of this target do not declare: numbers as they are written. */
interface SourceTextJson {
  parse: (text: string, reviver?: SourceTextReviver) => unknown;
  rawJSON: (text: string) => unknown;
}

const sourceTextJson: SourceTextJson = JSON as never;

/** A number with more than 15 digits, a fraction or an exponent, or a text that looks like one: every other number is exact. */
const MAY_BE_ROUNDED = /[0-9](?:[.eE]|[0-9]{15})/;

/**
 * Parses JSON like `JSON.parse`, but keeps integers that this would round: an integer beyond 2^53-1 and below 10^50
 * becomes a `bigint`.
 *
 * @throws SyntaxError
 * @throws RequestError if a fraction would be rounded to an integer
 */
export function parseExactJson(text: string): unknown {
  // A reviver takes ten times as long, and most texts hold no such number.
  return mayBeRounded(text) ? sourceTextJson.parse(text, exactNumber) : (JSON.parse(text) as unknown);
}

/** Whether {@link parseExactJson} may give another value than `JSON.parse`. */
export function mayBeRounded(text: string): boolean {
  return MAY_BE_ROUNDED.test(text);
}

/** Integers from here on stay numbers: no client means them, and exact values would take long to make. */
export const EXACT_BELOW = 1e50;

/** An integer that is written with a fraction or an exponent: its digits before and after the point, and the exponent. */
const WRITTEN = /^(?<sign>-?)(?<whole>[0-9]+)(?:\.(?<part>[0-9]+))?(?:[eE](?<exponent>[+-]?[0-9]+))?$/;

/** The reviver that replaces an integer that was rounded by its exact value. */
function exactNumber(_name: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined || !Number.isInteger(value)) return value;
  if (Math.abs(value) >= EXACT_BELOW) return value;
  const isPlain = /^-?[0-9]+$/.test(source);
  if (isPlain) return Number.isSafeInteger(value) ? value : BigInt(source);

  const { sign = '', whole = '', part = '', exponent = '0' } = WRITTEN.exec(source)?.groups ?? {};
  const digits = `${whole}${part}`.replace(/0+$/, '');
  // The value is digits x 10^scale; without digits it is zero.
  const scale = Number(exponent) - part.length + (whole.length + part.length - digits.length);
  if (/^0*$/.test(digits)) return value;
  if (scale < 0) throw roundedFraction(source, value);
  return Number.isSafeInteger(value) ? value : BigInt(`${sign}${digits}${'0'.repeat(scale)}`);
}

/** For a fraction that `JSON.parse` rounds to an integer, such as 1.00000000000000000001: no rule could tell them apart. */
function roundedFraction(source: string, rounded: number): RequestError {
  return RequestError.invalid([
    `The body gives the number ${excerpt(source)}, which would be rounded to ${rounded}: send fewer digits`,
  ]);
}

/** Writes JSON. A `bigint` becomes a JSON number with all its digits. */
export function stringifyExactJson(value: unknown): string {
  try {
    // A replacer doubles the time, and few values hold a `bigint`.
    return JSON.stringify(value);
  } catch {
    // Any other error than a `bigint` occurs again.
    return JSON.stringify(value, exactReplacer);
  }
}

/** The replacer that makes `JSON.stringify` write a `bigint` as a JSON number with all its digits. */
export function exactReplacer(_name: string, member: unknown): unknown {
  return typeof member === 'bigint' ? sourceTextJson.rawJSON(member.toString()) : member;
}
