import { crc32 } from 'node:zlib';

/** The parts of a key: `<prefix>_<random>_<checksum>`, as in `asdev_3kq…_0x9f2c1`. */
const FORM = /^(?<body>[a-z][a-z0-9]{1,15}_[0-9a-z]{31})_(?<checksum>[0-9a-z]{7})$/;

/** The random characters in a hint: 20 bits, so 140 bits stay secret. */
const HINT_LENGTH = 4;

/** The form of a prefix ({@link generateApiKey}). */
export const API_KEY_PREFIX = /^[a-z][a-z0-9]{1,15}$/;

/** Whether `text` has the form of a key and a correct checksum. A mistyped key is so refused without a query. */
export function isWellFormedApiKey(text: string): boolean {
  const parts = FORM.exec(text)?.groups;
  return parts?.['body'] !== undefined && checksumOf(parts['body']) === parts['checksum'];
}

/** The part of a key that may be shown: the prefix and the first 4 of the 31 random characters, as in `asdev_3kq9`. */
export function hintOfApiKey(key: string): string {
  return key.slice(0, key.indexOf('_') + 1 + HINT_LENGTH);
}

/** The CRC-32 of a key without its checksum, as 7 base-36 digits. */
export function checksumOf(body: string): string {
  return crc32(body).toString(36).padStart(7, '0');
}
