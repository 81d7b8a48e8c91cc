/** The lengths of keys with the shortest and with the longest prefix. */
const SHORTEST_KEY = 42;
export const LONGEST_API_KEY = 56;

/** A part of every key. Nearly all texts lack it, and that is found fast. */
const MIDDLE = /_[0-9a-z]{31}_/i;

/** Replaces every key in a text by `<key>`, also keys with a wrong checksum; for texts that contain input of a user. */
export function hideApiKeys(text: string): string {
  if (text.length < SHORTEST_KEY || !MIDDLE.test(text)) return text;
  return text.replace(/[a-z][a-z0-9]{1,15}_[0-9a-z]{31}_[0-9a-z]{7}/gi, '<key>');
}

/** Whether {@link hideApiKeys} would hide a key in the text. */
export function holdsApiKey(text: string): boolean {
  return hideApiKeys(text) !== text;
}
