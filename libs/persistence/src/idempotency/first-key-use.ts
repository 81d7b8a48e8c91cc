/**
 * The first use of an idempotency key decides: the same request gets its outcome, another one is refused (ADR 0011). An addition to a
 * table stores the key in its own statement, other work by `MikroOrmIdempotency`.
 */
import { hash } from 'node:crypto';
import { IDEMPOTENCY_KEY_HOURS, IdempotencyKeyReusedError } from '@animal-store/kernel';

/** The SHA-256 of the content of a request, as 64 hexadecimal digits. It is stored to recognize the same request. */
export function fingerprintOf(content: string): string {
  return hash('sha256', content, 'hex');
}

/** The age at which a key expires, by the clock of the database. */
export const IDEMPOTENCY_KEY_AGE = `interval '${IDEMPOTENCY_KEY_HOURS} hours'`;

/** SQL: keeps the value of a key's first use, unless the key has expired. */
function firstUse(column: string): string {
  return `${column} = case when used.created_at > now() - ${IDEMPOTENCY_KEY_AGE} then used.${column} else excluded.${column} end`;
}

const FIRST_USE = ['fingerprint', 'result_id', 'result_text', 'created_at'].map(firstUse).join(', ');

/** SQL, for statements that write to the table: what happens if the key exists already. */
export const KEEP_FIRST_USE = `on conflict (holder, key) do update set ${FIRST_USE}`;

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
