/** How long the outcome of a request is kept under its idempotency key, in hours. */
export const IDEMPOTENCY_KEY_HOURS = 24;
