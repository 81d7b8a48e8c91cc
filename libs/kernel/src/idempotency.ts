/** The name that a client gives one request, however often it sends the request. */
export interface IdempotencyKey {
  /** Who sent the key. Two holders may use the same key for different requests. */
  readonly holder: string;
  readonly key: string;
}

/** How long the outcome of a request is kept under its idempotency key, in hours. */
export const IDEMPOTENCY_KEY_HOURS = 24;

/** The outcome of a request: the id of what it created, and the body of the response. */
export interface Outcome {
  readonly id: bigint;
  readonly text: string;
}

/** What was added under an idempotency key, without later changes, and whether an earlier call with the same key added it. */
export interface AddOnceResult<Added> {
  readonly added: Added;
  readonly replayed: boolean;
}

/** Lets a client repeat a request that got no response. */
export abstract class Idempotency {
  /**
   * Runs `work` once for each key, as a unit of work. Later and concurrent calls with the same key, on any instance, get the
   * outcome of the first call. The outcome is stored in the commit of the work and kept for {@link IDEMPOTENCY_KEY_HOURS}. Work
   * that throws is not kept and may be repeated.
   *
   * @param key `undefined` if the client sent no key: `work` then always runs
   * @param content the content of the request, with the name of the operation; different contents are different requests
   * @param work as `UnitOfWork.run` takes it
   * @throws IdempotencyKeyReusedError when the key was used for other content
   */
  abstract once(
    key: IdempotencyKey | undefined,
    content: string,
    work: () => Promise<Outcome>,
  ): Promise<Outcome & { readonly replayed: boolean }>;
}

/** The client used one idempotency key for two different requests. */
export class IdempotencyKeyReusedError extends Error {
  readonly kind = 'unprocessable';
  readonly code = 'idempotency_key_reused';

  constructor() {
    super('The Idempotency-Key was used before with another body: send a new key with a new request');
  }
}
