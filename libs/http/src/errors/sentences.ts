/** How much of what a client sent an error message repeats: sentences, bytes of JSON in total, and code points of a name. */
export const MAX_SENTENCES = 20;
const MAX_BYTES = 7_000;
const MAX_NAME_LENGTH = 64;

/**
 * Joins sentences, each without its full stop, into a message that is never too long for an Error body.
 *
 * @param sentences the first {@link MAX_SENTENCES} of them are enough
 * @param count the number of all
 */
export function joinSentences(sentences: readonly string[], count = sentences.length): string {
  let bytes = 0;
  const shown = sentences
    .slice(0, MAX_SENTENCES)
    .filter((sentence) => (bytes += Buffer.byteLength(JSON.stringify(sentence))) <= MAX_BYTES);
  const text = shown.join('; ');
  return shown.length === count ? text : `${text}; and ${(count - shown.length).toLocaleString('en')} more`;
}

/** A name that a client chose as JSON, at most 64 code points of it. `…` replaces the rest. */
export function quoteName(name: string): string {
  // A code point has at most two UTF-16 units.
  const codePoints = Array.from(name.slice(0, 2 * MAX_NAME_LENGTH + 1));
  const isWhole = codePoints.length <= MAX_NAME_LENGTH;
  return JSON.stringify(isWhole ? name : `${codePoints.slice(0, MAX_NAME_LENGTH).join('')}…`);
}
