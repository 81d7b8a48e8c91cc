import { closest, distance } from 'fastest-levenshtein';

/** How far a misspelt name may be from a known one to be taken for it, in edits. */
const MAX_EDITS = 3;

/** The longest name that is compared with the known ones: a longer one is no slip of the finger, and costs time. */
const MAX_COMPARED_LENGTH = 64;

/** What to say behind an unknown name: which was probably meant, or which there are. */
export function suggestion(name: string, known: readonly string[]): string {
  const nearest = name.length > MAX_COMPARED_LENGTH ? undefined : closest(name.toLowerCase(), known);
  if (nearest !== undefined && distance(name.toLowerCase(), nearest.toLowerCase()) <= MAX_EDITS) {
    return `: did you mean ${nearest}?`;
  }
  return `: allowed are ${known.join(', ')}`;
}
