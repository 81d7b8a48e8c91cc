import type { NewPet } from './pet.js';

/** For how long an addition is remembered under its key, in hours. */
export const IDEMPOTENCY_KEY_HOURS = 24;

/** What a client calls one request, however often it sends it. */
export interface IdempotencyKey {
  /** Who calls it so: the keys of one holder mean nothing to another. */
  readonly holder: string;
  readonly key: string;
}

/** The client has used the key for another request: it can't mean both. */
export class IdempotencyKeyReusedError extends Error {
  readonly kind = 'unprocessable';
  readonly code = 'idempotency_key_reused';

  constructor() {
    super('The Idempotency-Key was used before with another body: send a new key with a new request');
  }
}

/** What a request to add an animal asks for: requests with the same text ask for the same, however they were written. */
export function contentOf({ name, categoryId, status }: NewPet): string {
  return JSON.stringify(['add pet', name, String(categoryId), status]);
}
