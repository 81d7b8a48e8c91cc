import { distance } from 'fastest-levenshtein';

/**
 * The length up to which a name is short, in characters. One wrong character may make a short name another word, as in
 * `POST` and `HOME`.
 */
const SHORT = 7;

/**
 * The number of words at the beginning of a name that no other program has by accident: `RATE_LIMIT` of
 * `RATE_LIMIT_PER_MINUTE`.
 */
const DISTINCTIVE_WORDS = 2;

/**
 * A sentence for each environment variable whose name is similar to the name of a setting.
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
  const isTelling = text.split('_').filter((word) => word !== '').length >= DISTINCTIVE_WORDS;
  return isTelling ? known.find((setting) => setting.startsWith(text)) : undefined;
}
