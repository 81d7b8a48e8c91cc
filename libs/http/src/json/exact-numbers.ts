/** Called for a member, or an element with its index, that is not an integer but was rounded to one. */
export type RecordRounded = (parent: object, name: string) => void;

/** A reviver of `JSON.parse` that gets a number as it is written. This target's types do not declare the last parameter. */
export type SourceTextReviver = (this: object, name: string, value: unknown, context: { source?: string }) => unknown;

/**
 * A reviver for `JSON.parse` that replaces numbers that were rounded by their exact values: an integer beyond 2^53-1
 * becomes a `bigint`.
 */
export function exactNumbers(recordRounded: RecordRounded): SourceTextReviver {
  return function (name, value, { source }) {
    if (source === undefined || !Number.isInteger(value)) return value;
    const exact = exactValue(value as number, source);
    if (exact === undefined) recordRounded(this, name);
    return exact ?? value;
  };
}

/** Integers from here on stay numbers: no client means them, and exact values would take long to make. */
const TOO_LARGE = 1e50;

/**
 * @param rounded an integer: the one nearest to the number in `source`
 * @returns `undefined` if the number in `source` is a safe integer only because it was rounded
 */
function exactValue(rounded: number, source: string): number | bigint | undefined {
  const exponentAt = source.search(/[eE]/);
  const end = exponentAt === -1 ? source.length : exponentAt;
  const pointAt = source.indexOf('.');
  const isPlain = exponentAt === -1 && pointAt === -1;
  if (Number.isSafeInteger(rounded) ? isPlain : Math.abs(rounded) >= TOO_LARGE) return rounded;
  if (isPlain) return BigInt(source);

  // The value is digits x 10^scale, without a zero at the end of the digits.
  const { digits, zeros } = withoutTrailingZeros(source.slice(0, end));
  if (digits === '' || digits === '-') return rounded;
  const exponent = exponentAt === -1 ? 0 : Number(source.slice(exponentAt + 1));
  const scale = exponent - (pointAt === -1 ? 0 : end - pointAt - 1) + zeros;
  if (Number.isSafeInteger(rounded)) return scale < 0 ? undefined : rounded;
  return scale < 0 ? rounded : BigInt(digits.replace('.', '') + '0'.repeat(scale));
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
