import { IdempotencyKeyReusedError } from '@animal-store/kernel';

/** Counts the outcomes of requests with an idempotency key since the start of the process. */
export class IdempotencyKeyUses {
  /** Requests that were carried out. */
  first = 0;
  /** Requests that got the outcome of an earlier request. */
  replayed = 0;
  /** Requests that were refused, because their key was used for another request. */
  conflict = 0;

  /** Counts the outcome of a request. Requests that fail for other reasons did not use their key and are not counted. */
  async count<Result extends { readonly replayed: boolean }>(use: Promise<Result>): Promise<Result> {
    try {
      const result = await use;
      if (result.replayed) this.replayed += 1;
      else this.first += 1;
      return result;
    } catch (error) {
      if (error instanceof IdempotencyKeyReusedError) this.conflict += 1;
      throw error;
    }
  }
}
