import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  DIGIT_0,
  endOfBlanks,
  endOfNumber,
  endOfString,
  isInNumber,
  OPENING_BRACE,
  OPENING_BRACKET,
  POINT,
  QUOTE,
  SMALL_F,
  stringBetween,
} from './json-text.js';

/** Called for a member, or an element with its index, that is not an integer but was rounded to one. */
export type RecordRounded = (parent: object, name: string) => void;

/**
 * Replaces numbers that `JSON.parse` rounded by their exact values: an integer beyond 2^53-1 becomes a `bigint`. The
 * reviver of `JSON.parse` gets the digits too, but takes ten times as long.
 *
 * @param text valid JSON in which no object gives a member twice
 * @param value the result of `JSON.parse`: its objects and arrays are changed
 * @returns the same value, or another one if it is a number itself
 */
export function restoreNumbers(text: string, value: unknown, recordRounded: RecordRounded): unknown {
  return new NumberRestorer(text, recordRounded).restore(value);
}

/**
 * Walks through a text and its parsed value together. The position in the text decides, so the walk ends for any value,
 * even if the engine misread a name (V8 13.6 reads `"\u0061"` as `"\\"` if an earlier object had that name).
 */
class NumberRestorer {
  private at = 0;
  /** Whether the latest restored value was rounded to an integer. */
  private isRounded = false;

  constructor(
    private readonly text: string,
    private readonly recordRounded: RecordRounded,
  ) {}

  /** @param value the value that begins here */
  restore(value: unknown): unknown {
    const start = (this.at = endOfBlanks(this.text, this.at));
    const unit = this.text.charCodeAt(start);
    this.isRounded = false;
    if (unit === QUOTE) {
      this.at = endOfString(this.text, start);
    } else if (unit === OPENING_BRACKET) {
      this.restoreElements(Array.isArray(value) ? value : []);
      this.isRounded = false;
    } else if (unit === OPENING_BRACE) {
      this.restoreMembers(typeof value === 'object' && value !== null ? (value as Members) : {});
      this.isRounded = false;
    } else if (isInNumber(unit)) {
      this.at = endOfNumber(this.text, start);
      if (!Number.isInteger(value)) return value;
      const exact = exactValue(value as number, this.text.slice(start, this.at));
      this.isRounded = exact === undefined;
      return exact ?? value;
    } else {
      this.at += unit === SMALL_F ? 'false'.length : 'true'.length;
    }
    return value;
  }

  private restoreElements(elements: unknown[]): void {
    for (let index = 0; this.hasNext(CLOSING_BRACKET); index += 1) {
      const element = elements[index];
      const restored = this.restore(element);
      if (restored !== element) elements[index] = restored;
      if (this.isRounded) this.recordRounded(elements, String(index));
    }
  }

  private restoreMembers(members: Members): void {
    while (this.hasNext(CLOSING_BRACE)) {
      const start = this.at;
      const end = endOfString(this.text, start);
      this.at = endOfBlanks(this.text, end) + 1;
      const name = stringBetween(this.text, start, end);
      const member = Object.hasOwn(members, name) ? members[name] : undefined;
      const restored = this.restore(member);
      // Assigning to an existing member is safe, even to one with the name `__proto__`.
      if (restored !== member) members[name] = restored;
      if (this.isRounded) this.recordRounded(members, name);
    }
  }

  /** Moves past the opening bracket or the comma before the next element, or past the closing bracket. */
  private hasNext(closing: number): boolean {
    this.at = endOfBlanks(this.text, this.at);
    const isEnd = this.text.charCodeAt(this.at) === closing;
    this.at += 1;
    if (isEnd) return false;
    this.at = endOfBlanks(this.text, this.at);
    if (this.text.charCodeAt(this.at) !== closing) return true;
    this.at += 1;
    return false;
  }
}

type Members = Record<string, unknown>;

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
    const unit = number.charCodeAt(end - 1);
    if (unit === DIGIT_0) zeros += 1;
    else if (unit !== POINT) break;
  }
  return { digits: number.slice(0, end), zeros };
}
