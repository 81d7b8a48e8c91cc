/** Members of `JSON` that the types of this target do not declare: numbers as they are written. */
const sourceTextJson = JSON as unknown as {
  parse: (text: string, reviver: (name: string, value: unknown, context: { source?: string }) => unknown) => unknown;
  rawJSON: (text: string) => unknown;
};

/** A number with more than 15 digits, a fraction or an exponent, or a text that looks like one: every other number is exact. */
const MAY_BE_ROUNDED = /[0-9](?:[.eE]|[0-9]{15})/;

/**
 * Parses JSON like `JSON.parse`, but rounds no integer: one beyond 2^53-1 becomes a `bigint`. A number that `JSON.parse` would
 * round to an integer, and one of more than {@link LONGEST} characters, becomes `NaN`, which every rule refuses.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  // A reviver takes ten times as long, and most texts hold no such number.
  return MAY_BE_ROUNDED.test(text) ? sourceTextJson.parse(text, exactNumber) : (JSON.parse(text) as unknown);
}

/** The longest number that is read exactly, in characters: int64 has 20. It bounds what is made of a number. */
const LONGEST = 50;

/** Numbers from here on stay as they are: no client means an exact one. */
const EXACT_BELOW = 1e50;

/** An integral number with a fraction or an exponent. */
const WRITTEN = /^(?<sign>-?)(?<whole>[0-9]+)(?:\.(?<part>[0-9]+))?(?:[eE](?<exponent>[+-]?[0-9]+))?$/;

function exactNumber(_name: string, value: unknown, { source = '' }: { source?: string }): unknown {
  // A small fraction may have been rounded to 0.
  if (typeof value !== 'number' || (value !== 0 && Number.isSafeInteger(value) && source.length <= 15)) return value;
  if (source.length > LONGEST) return NaN;
  if (!Number.isInteger(value) || Math.abs(value) >= EXACT_BELOW) return value;

  const { sign = '', whole = '', part = '', exponent = '0' } = WRITTEN.exec(source)?.groups ?? {};
  const digits = whole + part;
  // The value is digits x 10^scale.
  const scale = Number(exponent) - part.length;
  const integer = scale < 0 ? digits.slice(0, scale) : digits + '0'.repeat(Math.min(scale, LONGEST));
  const fraction = scale < 0 ? digits.slice(scale) : '';
  if (/[1-9]/.test(fraction)) return NaN;
  return Number.isSafeInteger(value) ? value : BigInt(sign + integer);
}

/** Writes JSON. A `bigint` becomes a JSON number with all its digits. */
export function stringifyExactJson(value: unknown): string {
  return JSON.stringify(value, exactReplacer);
}

/** The replacer that makes `JSON.stringify` write a `bigint` as a JSON number with all its digits. */
export function exactReplacer(_name: string, member: unknown): unknown {
  return typeof member === 'bigint' ? sourceTextJson.rawJSON(member.toString()) : member;
}
