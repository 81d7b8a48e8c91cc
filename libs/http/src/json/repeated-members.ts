import { CLOSING_BRACE, COLON, endOfBlanks, endOfString, OPENING_BRACE, QUOTE, stringBetween } from './json-text.js';

/**
 * Finds the names that an object of the text gives more than once. `JSON.parse` keeps only the last of such members.
 *
 * @param text valid JSON
 */
export function repeatedNames(text: string): string[] {
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
