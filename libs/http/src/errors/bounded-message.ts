/** How much of what a client made up is repeated to it: things of one kind, characters of one name, bytes of JSON in all. */
export const MAX_REPORTED = 20;
const MAX_NAME_LENGTH = 64;
const MAX_BYTES = 7_000;

/** The beginning of a name that a client chose, at most 64 code points; `…` stands for the rest. */
export function excerpt(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  // A code point takes two units at most.
  const codePoints = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH + 1));
  return codePoints.length <= MAX_NAME_LENGTH ? name : `${codePoints.slice(0, MAX_NAME_LENGTH).join('')}…`;
}

/**
 * One text of many parts, which is never too long for an Error body.
 *
 * @param count of the parts, where those beyond the first were not even made
 * @param rest what stands for those that are left out
 */
export function bounded(
  parts: readonly string[],
  separator: string,
  rest: (left: string) => string,
  count = parts.length,
): string {
  let bytes = 0;
  let told = 0;
  for (const part of parts.slice(0, MAX_REPORTED)) {
    bytes += Buffer.byteLength(JSON.stringify(part));
    if (bytes > MAX_BYTES) break;
    told += 1;
  }
  const text = parts.slice(0, told).join(separator);
  return told === count ? text : text + rest((count - told).toLocaleString('en'));
}
