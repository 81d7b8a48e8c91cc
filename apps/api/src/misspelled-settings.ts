import { distance } from 'fastest-levenshtein';

/** Up to how many characters a name is short: one wrong one may be all of another word then, as in `POST` and `HOME`. */
const SHORT = 7;

/** The words of a beginning that no other program has by chance: `RATE_LIMIT` is one of `RATE_LIMIT_PER_MINUTE`. */
const TELLING_WORDS = 2;

/**
 * A sentence for each variable of the environment whose name looks like that of a setting, and is none.
 *
 * @param known the names of all settings
 */
export function misspelledSettings(variables: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  return Object.keys(variables).flatMap((name) => {
    const meant = known.includes(name) ? undefined : probablyMeant(name, known);
    return meant === undefined ? [] : [`${name} is no setting, and without effect: did you mean ${meant}?`];
  });
}

function probablyMeant(name: string, known: readonly string[]): string | undefined {
  const text = name.toUpperCase();
  const [nearest] = known
    .map((setting) => ({ setting, edits: distance(text, setting) }))
    .filter(({ setting, edits }) => edits <= (setting.length <= SHORT ? 1 : 2))
    .toSorted((one, other) => one.edits - other.edits);
  if (nearest !== undefined) return nearest.setting;
  const isTelling = text.split('_').filter((word) => word !== '').length >= TELLING_WORDS;
  return isTelling ? known.find((setting) => setting.startsWith(text)) : undefined;
}
