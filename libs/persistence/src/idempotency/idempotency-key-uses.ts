import { IdempotencyKeyReusedError } from '@animal-store/kernel';

/** What became of requests that brought an idempotency key, since the start. */
export class IdempotencyKeyUses {
  /** Carried out. */
  first = 0;
  /** Answered with what an earlier one had done. */
  replayed = 0;
  /** Refused, as the key was used for something else. */
  conflict = 0;

  /** Counts what comes of a request; what fails for another reason did not use its key. */
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
