import { hash, timingSafeEqual } from 'node:crypto';

/**
 * The SHA-256 of a key as 64 hexadecimal digits: the form in which keys are stored. A fast hash is enough, because keys are
 * random and so cannot be found by a dictionary attack. Every request can afford it.
 */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** Compares two hashes of {@link hashApiKey} in constant time. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'));
}
