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
    super(`The body gives ${names.join(', ')} more than once`);
  }
}

/**
 * Parses JSON. A number with an integral value becomes a `bigint`, also when written `1.0` or `1e3`;
 * every other number stays a `number`, and so does an integer of more than 400 digits.
 *
 * @throws SyntaxError
 * @throws RepeatedMemberError
 */
export function parseExactJson(text: string): unknown {
  const { value, members } = MAY_BE_ROUNDED.test(text) ? parseBySource(text) : parsePlain(text);
  // A colon follows each name: where there is none beside those of the members, there is no second name either.
  if (countOfColons(text) > members && countOfNames(text) > members) throw new RepeatedMemberError(repeatedNames(text));
  return value;
}

/** What was parsed, and how many members its objects have together. */
interface Parsed {
  readonly value: unknown;
  readonly members: number;
}

/** Digits that a `number` may not hold, or a number that is not written as a plain integer. */
const MAY_BE_ROUNDED = /[0-9]{16}|[0-9][.eE]/;

/** For a text in which every number is an integer of at most 15 digits: a `number` holds it exactly. */
function parsePlain(text: string): Parsed {
  let members = 0;
  const exact = (value: unknown): unknown => {
    if (typeof value === 'number') return BigInt(value);
    if (Array.isArray(value)) return value.map(exact);
    if (typeof value !== 'object' || value === null) return value;
    const object = value as Record<string, unknown>;
    for (const name of Object.keys(object)) {
      members += 1;
      const member = object[name];
      // A member that is there is replaced, also one that is called `__proto__`.
      if (typeof member === 'number' || typeof member === 'object') object[name] = exact(member);
    }
    return object;
  };
  const value = exact(JSON.parse(text));
  return { value, members };
}

/** For every text: the reviver gets the digits of each number as they were sent. */
function parseBySource(text: string): Parsed {
  // The reviver sees each member of each object once, and in the end the value itself as if it were one.
  let members = -1;
  const value = sourceTextJson.parse(text, function (_name, member, { source }) {
    if (!Array.isArray(this)) members += 1;
    return typeof member === 'number' && source !== undefined ? (integralValue(source) ?? member) : member;
  });
  return { value, members };
}

/** Writes JSON. A `bigint` becomes a JSON number with all its digits. */
export function stringifyExactJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint' ? sourceTextJson.rawJSON(member.toString()) : member,
  );
}

const NUMBER = /^(?<sign>-?)(?<integer>[0-9]+)(?:\.(?<fraction>[0-9]+))?(?:[eE](?<exponent>[+-]?[0-9]+))?$/;

/** Integers with more digits stay numbers: nobody means them, and making them takes long. */
const MAX_DIGITS = 400;

/** The exact value of a JSON number, or `undefined` where it is no integer. */
function integralValue(source: string): bigint | undefined {
  const parts = NUMBER.exec(source)?.groups;
  if (parts === undefined) return undefined;
  const { sign = '', integer = '', fraction = '', exponent = '0' } = parts;
  // The value is digits x 10^scale, with no zero at either end of the digits.
  const allDigits = (integer + fraction).replace(/^0+/, '');
  const digits = withoutTrailingZeros(allDigits);
  if (digits === '') return 0n;
  const scale = Number(exponent) - fraction.length + (allDigits.length - digits.length);
  return scale < 0 || digits.length + scale > MAX_DIGITS ? undefined : BigInt(sign + digits + '0'.repeat(scale));
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** In JSON text a string before a colon is the name of a member; strings are skipped whole. */
const STRING_AND_COLON = /("[^"\\]*(?:\\.[^"\\]*)*")\s*(:?)/g;

/** The same, and where objects begin and end. */
const STRUCTURE_OR_STRING = new RegExp(`[{}]|${STRING_AND_COLON.source}`, 'g');

function countOfColons(text: string): number {
  let colons = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) colons += 1;
  return colons;
}

function countOfNames(text: string): number {
  let names = 0;
  STRING_AND_COLON.lastIndex = 0;
  for (let match = STRING_AND_COLON.exec(text); match !== null; match = STRING_AND_COLON.exec(text)) {
    if (match[2] === ':') names += 1;
  }
  return names;
}

/** `JSON.parse` keeps the last of two members with one name, and so drops what the client sent. Here is which. */
function repeatedNames(text: string): string[] {
  const repeated = new Set<string>();
  const open: Set<string>[] = [];
  // Structure and strings in turn: a name belongs to the object that was opened last.
  for (const [token, string, colon] of text.matchAll(STRUCTURE_OR_STRING)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon === ':') {
      const names = open.at(-1);
      const name = JSON.parse(string ?? '""') as string;
      if (names?.has(name)) repeated.add(name);
      names?.add(name);
    }
  }
  return [...repeated];
}
