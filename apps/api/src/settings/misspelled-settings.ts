import { distance } from 'fastest-levenshtein';

/** Up to this length, in characters, one wrong character may make a name another word, as in `POST` and `HOME`. */
const SHORT = 7;

/** A name of so many words is no accident if a setting begins with it: `RATE_LIMIT` means `RATE_LIMIT_PER_MINUTE`. */
const DISTINCTIVE_WORDS = 2;

/**
 * A sentence for each environment variable whose name is similar to the name of a setting.
 *
 * @param known the names of all settings
 */
export function misspelledSettings(variables: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  return Object.keys(variables).flatMap((name) => {
    const meant = known.includes(name) ? undefined : probablyMeant(name, known);
    return meant === undefined ? [] : [`${name} is not a setting and has no effect. Did you mean ${meant}?`];
  });
}

/** Whether two neighbouring characters are swapped, as in `PROT`: a common slip that makes no other word. */
function isSwapped(text: string, setting: string): boolean {
  let at = 0;
  while (at < setting.length && setting[at] === text[at]) at += 1;
  const [first = '', second = ''] = setting.slice(at, at + 2);
  return text !== setting && text === `${setting.slice(0, at)}${second}${first}${setting.slice(at + 2)}`;
}

function probablyMeant(name: string, known: readonly string[]): string | undefined {
  const text = name.toUpperCase();
  const [nearest] = known
    .map((setting) => ({ setting, edits: distance(text, setting) }))
    .filter(({ setting, edits }) => edits <= (setting.length <= SHORT ? 1 : 2) || isSwapped(text, setting))
    .toSorted((one, other) => one.edits - other.edits);
  if (nearest !== undefined) return nearest.setting;
  const isTelling = text.split('_').filter((word) => word !== '').length >= DISTINCTIVE_WORDS;
  return isTelling ? known.find((setting) => setting.startsWith(text)) : undefined;
}
