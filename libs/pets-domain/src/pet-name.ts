/** The greatest length of a pet's name, in Unicode code points. */
export const PET_NAME_MAX_CODE_POINTS = 255;

/** @returns the rule that `value` breaks as the name of a pet, to follow the name of the field in a sentence */
export function violationOfPetName(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (!/\S/u.test(value)) return 'must contain at least one non-blank character';
  if (hasMoreCodePoints(value, PET_NAME_MAX_CODE_POINTS)) {
    return `must be at most ${PET_NAME_MAX_CODE_POINTS} characters long`;
  }
  // PostgreSQL cannot store NUL characters and halves of surrogate pairs: it would refuse or change the name later.
  if (value.includes('\0')) return 'must not contain the NUL character (U+0000)';
  if (!value.isWellFormed()) return 'must be well-formed Unicode: it contains half of a surrogate pair';
  return undefined;
}

/** A code point takes one or two UTF-16 units, so the length alone decides for most names and for every very long name. */
function hasMoreCodePoints(text: string, count: number): boolean {
  return text.length > count && (text.length > 2 * count || Array.from(text).length > count);
}
