import type { IdempotencyKey } from './idempotency-key.js';

/** What came of a request. */
export interface Outcome {
  /** Of what was made. */
  readonly id: bigint;
  /** The answer as it is sent. */
  readonly text: string;
}

/** Lets a request be sent again by who got no answer: what it asks for is done once. */
export abstract class Idempotency {
  /**
   * Runs `work` as a unit of work, however often it is called with one key, at once or one after the other, on any instance:
   * once. Who calls again, or meanwhile, gets what came of it the first time, as it was then. That it was done is kept in the
   * commit that does it, for {@link IDEMPOTENCY_KEY_HOURS}; work that throws is forgotten, and may be tried again.
   *
   * @param key left out where the client sent none: the work is done then
   * @param content what the request asks for, the name of the operation included: two that differ ask for different things
   * @param work as `UnitOfWork.run` takes it
   * @throws IdempotencyKeyReusedError when the key was used for other content
   */
  abstract once(
    key: IdempotencyKey | undefined,
    content: string,
    work: () => Promise<Outcome>,
  ): Promise<Outcome & { readonly replayed: boolean }>;
}
