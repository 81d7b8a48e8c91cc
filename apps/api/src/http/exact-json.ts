/**
 * JSON in which integers keep every digit. `JSON.parse` alone rounds 9007199254740993 to …992, and int64 goes beyond.
 */

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
  const revived = new Map<string, number>();
  const value: unknown = JSON.parse(text, function (
    this: unknown,
    name: string,
    member: unknown,
    context: { source?: string },
  ) {
    if (!Array.isArray(this)) revived.set(name, (revived.get(name) ?? 0) + 1);
    return typeof member === 'number' && context.source !== undefined
      ? (integralValue(context.source) ?? member)
      : member;
  } as Parameters<typeof JSON.parse>[1]);
  // The reviver ends with the value itself, as if it were the member of an object.
  revived.set('', (revived.get('') ?? 0) - 1);
  refuseRepeatedMembers(text, revived);
  return value;
}

/** Writes JSON. A `bigint` becomes a JSON number with all its digits. */
export function stringifyExactJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint'
      ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(member.toString())
      : member,
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

/** `JSON.parse` keeps the last of two members with one name, and so drops what the client sent. */
function refuseRepeatedMembers(text: string, revived: ReadonlyMap<string, number>): void {
  const written = new Map<string, number>();
  for (const [, string = '', colon] of text.matchAll(STRING_AND_COLON)) {
    if (colon !== ':') continue;
    const name = JSON.parse(string) as string;
    written.set(name, (written.get(name) ?? 0) + 1);
  }
  const repeated = [...written]
    .filter(([name, times]) => times > Math.max(1, revived.get(name) ?? 0))
    .map(([name]) => name);
  if (repeated.length > 0) throw new RepeatedMemberError(repeated);
}
