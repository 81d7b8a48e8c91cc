/** How much of a client's own names an error message repeats: entries of one kind, and bytes of JSON in total. */
export const MAX_REPORTED = 20;
const MAX_BYTES = 7_000;

/**
 * Joins parts into a text that is never too long for an Error body.
 *
 * @param count the number of all parts, if `parts` has only the first of them
 * @param rest makes the text that replaces the parts that are left out
 */
export function bounded(
  parts: readonly string[],
  separator: string,
  rest: (left: string) => string,
  count = parts.length,
): string {
  let bytes = 0;
  let shown = 0;
  for (const part of parts.slice(0, MAX_REPORTED)) {
    bytes += Buffer.byteLength(JSON.stringify(part));
    if (bytes > MAX_BYTES) break;
    shown += 1;
  }
  const text = parts.slice(0, shown).join(separator);
  return shown === count ? text : text + rest((count - shown).toLocaleString('en'));
}

/** In code points. */
const MAX_NAME_LENGTH = 64;

/** The beginning of a name that a client chose, at most 64 code points long. `…` replaces the rest. */
export function excerpt(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  // A code point has at most two UTF-16 units.
  const codePoints = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH + 1));
  return codePoints.length <= MAX_NAME_LENGTH ? name : `${codePoints.slice(0, MAX_NAME_LENGTH).join('')}…`;
}
