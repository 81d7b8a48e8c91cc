import { randomBytes } from 'node:crypto';
import { checksumOf } from './api-key.js';

/** The random bytes of a key: 160 bits, which 31 base-36 digits can hold. They cannot be guessed. */
const RANDOM_BYTES = 20;

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
