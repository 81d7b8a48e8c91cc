import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The parts of a key: `<prefix>_<random>_<checksum>`, as in `asdev_3kq…_0x9f2c1`. */
const FORM = /^(?<body>[a-z][a-z0-9]{1,15}_[0-9a-z]{31})_(?<checksum>[0-9a-z]{7})$/;

/** The random bytes of a key: 160 bits, which 31 base-36 digits can hold. They cannot be guessed. */
const RANDOM_BYTES = 20;

/** The random characters in a hint: 20 bits, so 140 bits stay secret. */
const HINT_LENGTH = 4;

/** The form of a prefix ({@link generateApiKey}). */
export const API_KEY_PREFIX = /^[a-z][a-z0-9]{1,15}$/;

/**
 * Makes a new key: a prefix, 160 random bits, and a CRC-32 of both.
 *
 * @param prefix the environment for which the key is valid: a lower-case letter, then 1 to 15 lower-case letters and digits
 */
export function generateApiKey(prefix: string): string {
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`)
    .toString(36)
    .padStart(31, '0');
  const body = `${prefix}_${random}`;
  return `${body}_${checksumOf(body)}`;
}

/** Whether `text` has the form of a key and a correct checksum. A mistyped key is so refused without a query. */
export function isWellFormedApiKey(text: string): boolean {
  const parts = FORM.exec(text)?.groups;
  return parts?.['body'] !== undefined && checksumOf(parts['body']) === parts['checksum'];
}

/** The part of a key that may be shown: the prefix and the first 4 of the 31 random characters, as in `asdev_3kq9`. */
export function hintOfApiKey(key: string): string {
  return key.slice(0, key.indexOf('_') + 1 + HINT_LENGTH);
}

function checksumOf(body: string): string {
  return crc32(body).toString(36).padStart(7, '0');
}
