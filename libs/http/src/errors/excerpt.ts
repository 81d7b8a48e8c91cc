/** In code points. */
const MAX_NAME_LENGTH = 64;

/** The beginning of a name that a client chose, at most 64 code points long. `…` replaces the rest. */
export function excerpt(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name;
  // A code point has at most two UTF-16 units.
  const codePoints = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH + 1));
  return codePoints.length <= MAX_NAME_LENGTH ? name : `${codePoints.slice(0, MAX_NAME_LENGTH).join('')}…`;
}
