import { hash } from 'node:crypto';

/** What is kept of a request to tell it from another one: the SHA-256 of its content, as 64 hexadecimal digits. */
export function fingerprintOf(content: string): string {
  return hash('sha256', content, 'hex');
}
