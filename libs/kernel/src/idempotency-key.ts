/** For how long what was done under a key is remembered, in hours. */
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
