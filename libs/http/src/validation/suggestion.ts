import { closest, distance } from 'fastest-levenshtein';

/** The largest edit distance at which an unknown name is taken for a misspelt known name. */
const MAX_EDITS = 3;

/** The longest name that is compared with the known names: a longer one is not a spelling mistake, and takes time. */
const MAX_COMPARED_LENGTH = 64;

/** The end of the message for an unknown name: the known name that was probably meant, or all known names. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = name.length > MAX_COMPARED_LENGTH ? undefined : closest(name.toLowerCase(), known);
  if (nearest !== undefined && distance(name.toLowerCase(), nearest.toLowerCase()) <= MAX_EDITS) {
    return `: did you mean ${nearest}?`;
  }
  return `: allowed are ${known.join(', ')}`;
}
