import { hash } from 'node:crypto';

/** The SHA-256 of the content of a request, as 64 hexadecimal digits. It is stored to recognize the same request. */
export function fingerprintOf(content: string): string {
  return hash('sha256', content, 'hex');
}
