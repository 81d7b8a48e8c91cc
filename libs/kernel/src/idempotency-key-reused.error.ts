/** The client used one idempotency key for two different requests. */
export class IdempotencyKeyReusedError extends Error {
  readonly kind = 'unprocessable';
  readonly code = 'idempotency_key_reused';

  constructor() {
    super('The Idempotency-Key was used before with another body: send a new key with a new request');
  }
}
