/** The characters that tell the tokens of JSON apart (RFC 8259, section 2), as UTF-16 units. */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const POINT = 0x2e;
export const DIGIT_0 = 0x30;
export const COLON = 0x3a;
export const CAPITAL_E = 0x45;
export const OPENING_BRACKET = 0x5b;
export const CLOSING_BRACKET = 0x5d;
export const SMALL_E = 0x65;
export const SMALL_F = 0x66;
export const OPENING_BRACE = 0x7b;
export const CLOSING_BRACE = 0x7d;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BLANK = 0x20;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DIGIT_9 = 0x39;
const BACKSLASH = 0x5c;

/** @returns where the string ends that begins at `start`: one behind its quote, or the end of the text */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit === BACKSLASH) at += 1;
  }
  return text.length;
}

/** @returns where the digits end that begin at `start` */
export function endOfDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

/** @returns where the number ends that begins at `start` */
export function endOfNumber(text: string, start: number): number {
  let at = start;
  while (isInNumber(text.charCodeAt(at))) at += 1;
  return at;
}

/** @returns where the next token begins */
export function endOfBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** @returns what the string means that begins at `start` and ends at `end`; both quotes are part of it */
export function stringBetween(text: string, start: number, end: number): string {
  const content = text.slice(start + 1, end - 1);
  return content.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : content;
}

export function isDigit(unit: number): boolean {
  return unit >= DIGIT_0 && unit <= DIGIT_9;
}

/** Whether it may be part of a number (RFC 8259, section 6). */
export function isInNumber(unit: number): boolean {
  return isDigit(unit) || unit === POINT || unit === MINUS || unit === PLUS || unit === SMALL_E || unit === CAPITAL_E;
}

function isBlank(unit: number): boolean {
  return unit === BLANK || unit === LINE_FEED || unit === CARRIAGE_RETURN || unit === TAB;
}
