import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The ids that a client or a proxy may set: short, and harmless in every place to which log lines are copied. */
const SANE_ID = /^[A-Za-z0-9._:=/+-]{1,128}$/;

/** The length of a new id in bytes: with 128 random bits, no two requests get the same id. */
const ID_BYTES = 16;

/** Random bytes for 256 ids: one call per id would cost more. */
const randomness = Buffer.alloc(256 * ID_BYTES);
let used = randomness.length;

/** An id that no other request has, on this or another instance. Cheaper than a UUID, which is joined from parts. */
export function newRequestId(): string {
  if (used === randomness.length) {
    randomFillSync(randomness);
    used = 0;
  }
  used += ID_BYTES;
  return randomness.toString('hex', used - ID_BYTES, used);
}

/**
 * The request's own `X-Request-Id`; `undefined` if it is missing, malformed or secret.
 *
 * @param isSecret whether a text must not appear in the log, such as an API key that was sent as the id by mistake
 */
export function sentRequestId({ headers }: IncomingMessage, isSecret?: (text: string) => boolean): string | undefined {
  const id = headers['x-request-id'];
  return typeof id === 'string' && SANE_ID.test(id) && isSecret?.(id) !== true ? id : undefined;
}
