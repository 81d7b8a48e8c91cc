/**
 * JSON in which integers keep every digit. `JSON.parse` alone rounds 9007199254740993 to …992, and int64 is larger than
 * that.
 */
import { isUtf8 } from 'node:buffer';
import { bounded, excerpt, RequestError } from '../errors/request.errors.js';

/**
 * Parses the JSON of a body; see {@link parseExactJson}.
 *
 * @throws RequestError that says what is wrong
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const text = decode(bytes);
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw RequestError.invalid([
      `The body is not valid JSON${error instanceof SyntaxError ? placeOf(error, text) : ''}`,
    ]);
  }
}

function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw RequestError.invalid(['The body is not valid UTF-8: encode the JSON as UTF-8']);
  const text = bytes.toString('utf8');
  // A byte order mark may be ignored (RFC 8259, section 8.1).
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** The position in the engine's message for invalid JSON. Before it, the message quotes the text. */
const POSITION = /position [0-9]+ \(line (?<line>[0-9]+) column (?<column>[0-9]+)\)$/;

function placeOf({ message }: SyntaxError, text: string): string {
  if (message === 'Unexpected end of JSON input') return ': it ends too early';
  const place = POSITION.exec(message)?.groups ?? placeOfToken(text);
  return place === undefined ? '' : `, from line ${place['line']}, column ${place['column']} on`;
}

/** The longest text in which a token is searched, in UTF-16 units: each step of the search parses a part of the text. */
const MAX_SEARCHED_LENGTH = 10_000;

/**
 * The place of a token that the engine does not expect, for which it gives no position. The engine refuses every
 * beginning of the text that contains the token, and no shorter one: so a binary search finds it.
 */
function placeOfToken(text: string): Record<string, string | number> | undefined {
  if (text.length > MAX_SEARCHED_LENGTH) return undefined;
  let [without, including] = [0, text.length];
  while (including - without > 1) {
    const middle = Math.floor((without + including) / 2);
    if (hasUnexpectedToken(text.slice(0, middle))) including = middle;
    else without = middle;
  }
  const lines = text.slice(0, without).split(/\r\n|[\r\n]/);
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

function hasUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as SyntaxError).message.endsWith('is not valid JSON');
  }
}

/** A reviver of `JSON.parse` that gets a number as it is written. This target's types do not declare the last parameter. */
type SourceTextReviver = (name: string, value: unknown, context: { source?: string }) => unknown;

/**
 * Members of `JSON` that the types of this target do not declare: numbers as they are written. Browsers have them since
 * 2025.
 */
export interface SourceTextJson {
  parse: (text: string, reviver?: SourceTextReviver) => unknown;
  rawJSON: (text: string) => unknown;
}

const sourceTextJson = JSON as unknown as SourceTextJson;

/**
 * Parses JSON like `JSON.parse`, but keeps numbers that this would round: an integer beyond 2^53-1 and below 10^50
 * becomes a `bigint`.
 *
 * @throws SyntaxError
 * @throws RequestError if a member is given twice, if a fraction would be rounded to an integer, or if the text is nested
 *   too deeply or has too many values to be parsed at once
 */
export function parseExactJson(text: string): unknown {
  const { mayBeRounded, members } = outlineOf(text);
  // A reviver takes ten times as long, and most bodies hold no such number.
  const value = mayBeRounded ? sourceTextJson.parse(text, exactNumber) : (JSON.parse(text) as unknown);
  // V8 13.6 misreads some names with an escape, so where there is one, the members do not tell.
  if (membersOf(value) !== members || text.includes('\\')) {
    const repeated = repeatedNames(text);
    if (repeated.length > 0) throw repeatedMembers(repeated);
  }
  return value;
}

/** The meaning of an object that has a member twice is undefined (RFC 8259, section 4). */
function repeatedMembers(names: readonly string[]): RequestError {
  const list = bounded(names.map(excerpt), ', ', (left) => ` and ${left} other names`);
  return RequestError.invalid([`The body gives ${list} more than once`]);
}

/** The number of members of all objects of a parsed value. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts = Object.values(value);
  let members = Array.isArray(value) ? 0 : parts.length;
  for (const part of parts) members += membersOf(part);
  return members;
}

/** The characters that distinguish the tokens of JSON (RFC 8259, section 2), as UTF-16 units. */
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
const BACKSLASH = 0x5c;

/** The largest depth of nested objects and arrays. */
export const MAX_JSON_DEPTH = 100;

/**
 * The largest number of members and elements in all objects and arrays of a text together; an empty one counts as one.
 * The time of parsing depends on this number more than on the bytes: `JSON.parse` blocks for 70 ms on 1 MiB of small
 * objects that are all different.
 */
export const MAX_JSON_VALUES = 20_000;

/** A number with more than 15 digits, a fraction or an exponent, or a text that looks like one: every other number is exact. */
const MAY_BE_ROUNDED = /[0-9](?:[.eE]|[0-9]{15})/;

/** The refusals of a text that would take too long to parse. */
const TOO_MANY_VALUES = `The body holds more than ${MAX_JSON_VALUES.toLocaleString('en')} members and elements`;
const TOO_DEEP = `The body is nested more than ${MAX_JSON_DEPTH} levels deep`;

/** What is known of a JSON text before it is parsed. */
interface JsonOutline {
  /** Whether `JSON.parse` may round a number. */
  readonly mayBeRounded: boolean;
  /** The number of members of all objects together, with those that repeat a name. */
  readonly members: number;
}

/**
 * Checks the limits of a JSON text before it is parsed. Takes 1 to 4 ms for 1 MiB.
 *
 * @throws RequestError
 */
function outlineOf(text: string): JsonOutline {
  let depth = 0;
  let values = 0;
  let members = 0;
  let at = 0;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    at += 1;
    if (unit === QUOTE) {
      at = endOfString(text, at - 1);
    } else if (unit === COLON) {
      members += 1;
    } else if (unit === COMMA) {
      values += 1;
      if (values > MAX_JSON_VALUES) throw RequestError.invalid([TOO_MANY_VALUES]);
    } else if (unit === OPENING_BRACE || unit === OPENING_BRACKET) {
      values += 1;
      depth += 1;
      if (values > MAX_JSON_VALUES) throw RequestError.invalid([TOO_MANY_VALUES]);
      if (depth > MAX_JSON_DEPTH) throw RequestError.invalid([TOO_DEEP]);
    } else if (unit === CLOSING_BRACE || unit === CLOSING_BRACKET) {
      depth -= 1;
    }
  }
  return { mayBeRounded: MAY_BE_ROUNDED.test(text), members };
}

/**
 * Finds the names that an object of the text gives more than once. `JSON.parse` keeps only the last of such members.
 *
 * @param text valid JSON
 */
function repeatedNames(text: string): string[] {
  const repeated = new Set<string>();
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === OPENING_BRACE) open.push(new Set());
    else if (unit === CLOSING_BRACE) open.pop();
    else if (unit === QUOTE) {
      const start = at;
      const end = endOfString(text, start);
      at = end - 1;
      // Only the name of a member is followed by a colon.
      if (text.charCodeAt(endOfBlanks(text, end)) !== COLON) continue;
      const name = stringBetween(text, start, end);
      const names = open.at(-1);
      if (names?.has(name)) repeated.add(name);
      names?.add(name);
    }
  }
  return [...repeated];
}

/** @returns the end of the string that begins at `start`: the position after its closing quote, or the end of the text */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit === BACKSLASH) at += 1;
  }
  return text.length;
}

/** @returns the beginning of the next token */
function endOfBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** @returns the value of the string from `start` to `end`; both quotes are included */
function stringBetween(text: string, start: number, end: number): string {
  const content = text.slice(start + 1, end - 1);
  return content.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : content;
}

function isBlank(unit: number): boolean {
  return unit === BLANK || unit === LINE_FEED || unit === CARRIAGE_RETURN || unit === TAB;
}

/** For a fraction that `JSON.parse` rounds to an integer, such as 1.00000000000000000001: no rule could tell them apart. */
function roundedFraction(source: string, rounded: number): RequestError {
  return RequestError.invalid([
    `The body gives the number ${excerpt(source)}, which would be rounded to ${rounded}: send fewer digits`,
  ]);
}

/**
 * The reviver that replaces numbers that were rounded by their exact values: an integer beyond 2^53-1 becomes a
 * `bigint`.
 *
 * @throws RequestError if a fraction was rounded to an integer
 */
function exactNumber(_name: string, value: unknown, { source }: { source?: string }): unknown {
  return source === undefined || !Number.isInteger(value) ? value : exactValue(value as number, source);
}

/** Integers from here on stay numbers: no client means them, and exact values would take long to make. */
export const EXACT_BELOW = 1e50;

/**
 * @param rounded an integer: the one nearest to the number in `source`
 * @throws RequestError if the number in `source` is no integer
 */
function exactValue(rounded: number, source: string): number | bigint {
  const exponentAt = source.search(/[eE]/);
  const end = exponentAt === -1 ? source.length : exponentAt;
  const pointAt = source.indexOf('.');
  const isPlain = exponentAt === -1 && pointAt === -1;
  if (Number.isSafeInteger(rounded) ? isPlain : Math.abs(rounded) >= EXACT_BELOW) return rounded;
  if (isPlain) return BigInt(source);

  // The value is digits x 10^scale, without a zero at the end of the digits.
  const { digits, zeros } = withoutTrailingZeros(source.slice(0, end));
  if (digits === '' || digits === '-') return rounded;
  const exponent = exponentAt === -1 ? 0 : Number(source.slice(exponentAt + 1));
  const scale = exponent - (pointAt === -1 ? 0 : end - pointAt - 1) + zeros;
  if (scale < 0) throw roundedFraction(source, rounded);
  return Number.isSafeInteger(rounded) ? rounded : BigInt(digits.replace('.', '') + '0'.repeat(scale));
}

/** @param number without an exponent */
function withoutTrailingZeros(number: string): { digits: string; zeros: number } {
  let end = number.length;
  let zeros = 0;
  for (; end > 0; end -= 1) {
    const digit = number[end - 1];
    if (digit === '0') zeros += 1;
    else if (digit !== '.') break;
  }
  return { digits: number.slice(0, end), zeros };
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
