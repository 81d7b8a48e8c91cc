import type { IdempotencyKey } from './idempotency-key.js';

/** The outcome of a request. */
export interface Outcome {
  /** The id of what the request created. */
  readonly id: bigint;
  /** The body of the response. */
  readonly text: string;
}

/** Lets a client repeat a request that got no response. The request is carried out once. */
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
