import { distance } from 'fastest-levenshtein';

/** Up to this length, in characters, one wrong character may make a name another word, as in `POST` and `HOME`. */
const SHORT = 7;

/**
 * A sentence for each environment variable whose name is similar to the name of a setting: it has no effect.
 *
 * @param settings the names of all settings
 */
export function misspelledSettings(variables: NodeJS.ProcessEnv, settings: readonly string[]): string[] {
  const known = [...settings, ...settings.map((name) => `${name}_FILE`)];
  return Object.keys(variables).flatMap((name) => {
    const meant = known.includes(name) ? undefined : probablyMeant(name.toUpperCase(), known);
    return meant === undefined ? [] : [`${name} is not a setting and has no effect. Did you mean ${meant}?`];
  });
}

function probablyMeant(text: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((setting) => ({ setting, edits: distance(text, setting) }))
    .filter(({ setting, edits }) => edits <= (setting.length <= SHORT ? 1 : 2) || isSwapped(text, setting))
    .toSorted((one, other) => one.edits - other.edits);
  // A beginning of two words is no accident: `RATE_LIMIT` means `RATE_LIMIT_PER_MINUTE`.
  return nearest?.setting ?? known.find((setting) => /._./.test(text) && setting.startsWith(text));
}

/** Whether two neighbouring characters are swapped, as in `PROT`: a common slip that makes no other word. */
function isSwapped(text: string, setting: string): boolean {
  const at = Array.from(setting).findIndex((character, index) => character !== text[index]);
  const [first = '', second = ''] = setting.slice(at, at + 2);
  return at >= 0 && text === setting.slice(0, at) + second + first + setting.slice(at + 2);
}
