import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import process from 'node:process';

const expected = Buffer.from(`Bearer ${process.env.BOOTSTRAP_API_KEY}`);

/** Whether the `Authorization` header contains the only key that the peers accept. */
export function isAuthorized(authorization = '') {
  const sent = Buffer.from(authorization);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
