import { excerpt, RequestError } from '../errors/request.errors.js';

/** The largest depth of nested objects and arrays: code that goes through a value calls itself for each level. */
export const MAX_JSON_DEPTH = 100;

/** The tokens of valid JSON that matter here: each string, with the colon after the name of a member, and each bracket. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"(?:[ \t\r\n]*:)?|[[\]{}]/g;

/**
 * Checks what `JSON.parse` leaves unsaid. The meaning of an object that has a member twice is undefined (RFC 8259,
 * section 4), and `JSON.parse` keeps only the last one.
 *
 * @param text valid JSON
 * @param value what `JSON.parse` makes of it
 * @throws RequestError if a member is given twice, or if the text is nested too deeply
 */
export function checkOutline(text: string, value: unknown): void {
  if (isPlain(text, value)) return;
  const open: Set<string>[] = [];
  for (const token of text.match(TOKENS) ?? []) {
    if (token === '{' || token === '[') {
      if (open.push(new Set()) > MAX_JSON_DEPTH)
        throw RequestError.invalid([`The body is nested more than ${MAX_JSON_DEPTH} levels deep`]);
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token.endsWith(':')) {
      const names = open.at(-1);
      const name = nameIn(token);
      if (names?.has(name) === true) throw RequestError.invalid([`The body gives ${excerpt(name)} more than once`]);
      names?.add(name);
    }
  }
}

/** Whether it is an object without objects in it, and its text has one colon for each member: then none was given twice. */
function isPlain(text: string, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  let colons = 0;
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) return false;
    colons -= 1;
  }
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) colons += 1;
  return colons === 0;
}

/** One name can be written in several ways. */
function nameIn(token: string): string {
  const written = token.slice(0, token.lastIndexOf('"') + 1);
  return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
}
