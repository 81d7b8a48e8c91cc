import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The parts of a key: `<prefix>_<random>_<checksum>`, as in `asdev_3kq…_0x9f2c1`. */
const FORM = /^(?<body>[a-z][a-z0-9]{1,15}_[0-9a-z]{31})_(?<checksum>[0-9a-z]{7})$/;

/** Bits of randomness of a key: out of reach of guessing, as many as 31 base-36 digits hold. */
const RANDOM_BYTES = 20;

/** Random characters in a hint: 20 bits, which leaves 140 to guess. */
const HINT_LENGTH = 4;

/** What a prefix looks like: {@link generateApiKey}. */
export const API_KEY_PREFIX = /^[a-z][a-z0-9]{1,15}$/;

/**
 * Makes a key that nobody has: 160 random bits and a CRC-32 over everything before it.
 *
 * @param prefix names the environment, so that a key tells where it belongs: a lower-case letter,
 *   then 1 to 15 lower-case letters and digits
 */
export function generateApiKey(prefix: string): string {
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`)
    .toString(36)
    .padStart(31, '0');
  const body = `${prefix}_${random}`;
  return `${body}_${checksumOf(body)}`;
}

/** Whether `text` has the form of a key and its checksum fits: a mistyped key is refused without a query. */
export function isWellFormedApiKey(text: string): boolean {
  const parts = FORM.exec(text)?.groups;
  return parts?.['body'] !== undefined && checksumOf(parts['body']) === parts['checksum'];
}

/**
 * What is stored of a key, as 64 hexadecimal digits. A plain SHA-256 is enough, and fast enough for
 * every request: the key itself is random, so there is no dictionary that a slow hash would have to defend against.
 */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** What may be shown of a key: its prefix and the first 4 of its 31 random characters, as in `asdev_3kq9`. */
export function hintOfApiKey(key: string): string {
  return key.slice(0, key.indexOf('_') + 1 + HINT_LENGTH);
}

/** The lengths of keys with the shortest and with the longest prefix. */
const SHORTEST_KEY = 42;
export const LONGEST_API_KEY = 56;

/** What is quickly found missing in nearly every text. */
const MIDDLE = /_[0-9a-z]{31}_/i;

/** The text with every key in it replaced by `<key>`, whether or not its checksum fits: for what repeats words of a user. */
export function hideApiKeys(text: string): string {
  if (text.length < SHORTEST_KEY || !MIDDLE.test(text)) return text;
  return text.replace(/[a-z][a-z0-9]{1,15}_[0-9a-z]{31}_[0-9a-z]{7}/gi, '<key>');
}

/** Whether there is a key in the text that {@link hideApiKeys} would hide. */
export function holdsApiKey(text: string): boolean {
  return hideApiKeys(text) !== text;
}

/** Compares two hashes of {@link hashApiKey} in constant time. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'));
}

function checksumOf(body: string): string {
  return crc32(body).toString(36).padStart(7, '0');
}
