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
