import { bounded, excerpt } from '../errors/bounded-message.js';
import { restoreNumbers } from './exact-numbers.js';
import { shapeOf } from './json-shape.js';
import { countOfMembers, repeatedNames } from './repeated-members.js';

/**
 * JSON in which integers keep every digit. `JSON.parse` alone rounds 9007199254740993 to …992, and int64 goes beyond.
 */

type Reviver = (this: unknown, name: string, value: unknown, context: { source?: string }) => unknown;

/** `JSON` with what the types of this target do not know yet: numbers as they are written. Browsers have it since 2025. */
export interface SourceTextJson {
  parse: (text: string, reviver?: Reviver) => unknown;
  rawJSON: (text: string) => unknown;
}

const sourceTextJson = JSON as unknown as SourceTextJson;

/** A JSON text that gives one member of an object twice. What it means is undefined (RFC 8259, section 4). */
export class RepeatedMemberError extends Error {
  constructor(readonly names: readonly string[]) {
    const told = bounded(names.map(excerpt), ', ', (left) => ` and ${left} other names`);
    super(`The body gives ${told} more than once`);
  }
}

/**
 * Parses JSON as `JSON.parse` does, but for numbers that this would round: an integer beyond 2^53-1 and below 10^50 becomes
 * a `bigint`. Of a number that is no integer but rounded to one a note stays; see `isRoundedFraction`.
 *
 * @throws SyntaxError
 * @throws RepeatedMemberError
 * @throws JsonTooComplexError where it is nested too deeply or holds too many values to be parsed at once
 */
export function parseExactJson(text: string): unknown {
  const { depth, names, mayBeRounded } = shapeOf(text);
  const value: unknown = JSON.parse(text);
  if (names > countOfMembers(value, depth)) throw new RepeatedMemberError(repeatedNames(text));
  return mayBeRounded ? restoreNumbers(text, value) : value;
}

/** Writes JSON. A `bigint` becomes a JSON number with all its digits. */
export function stringifyExactJson(value: unknown): string {
  return JSON.stringify(value, exactReplacer);
}

/** The replacer that makes `JSON.stringify` write a `bigint` as a JSON number with all its digits. */
export function exactReplacer(_name: string, member: unknown): unknown {
  return typeof member === 'bigint' ? sourceTextJson.rawJSON(member.toString()) : member;
}
