/** How much of what a client sent an error message repeats: sentences, and UTF-16 units of a name. */
const MAX_SENTENCES = 20;
const MAX_NAME_LENGTH = 64;

/**
 * Joins sentences, each without its full stop, into the message of an Error body.
 *
 * @param sentences only the first ones are made
 */
export function joinSentences(sentences: Iterable<string>): string {
  const shown: string[] = [];
  for (const sentence of sentences) {
    if (shown.length === MAX_SENTENCES) return `${shown.join('; ')}; and more`;
    shown.push(sentence);
  }
  return shown.join('; ');
}

/** A name that a client chose as JSON. `…` replaces what is too long. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name);
}
