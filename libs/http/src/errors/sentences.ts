/** The most sentences of a message: there may be as many violations as a body has values. */
export const MAX_SENTENCES = 20;

/** How much of a name a message repeats, in code points. */
const MAX_NAME_LENGTH = 64;

/**
 * Joins sentences, each without its full stop, into a message.
 *
 * @param sentences the first {@link MAX_SENTENCES} of them are enough
 * @param count the number of all
 */
export function joinSentences(sentences: readonly string[], count = sentences.length): string {
  const text = sentences.slice(0, MAX_SENTENCES).join('; ');
  return count > MAX_SENTENCES ? `${text}; and ${count - MAX_SENTENCES} more` : text;
}

/** A name that a client chose, as JSON. `…` replaces what is too long. */
export function quoteName(name: string): string {
  // A code point has one or two UTF-16 units.
  const start = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH))
    .slice(0, MAX_NAME_LENGTH)
    .join('');
  return JSON.stringify(start.length < name.length ? `${start}…` : name);
}
