/**
 * The first use of an idempotency key decides: the same request gets its outcome, another one is refused (ADR 0011). An addition
 * to a table stores the key in its own statement, other work in its transaction (`MikroOrmIdempotency`), both by this SQL.
 */
import { hash } from 'node:crypto';
import { IDEMPOTENCY_KEY_HOURS } from '@animal-store/kernel';

/** The SHA-256 of the content of a request, as 64 hexadecimal digits. It is stored to recognize the same request. */
export function contentHash(content: string): string {
  return hash('sha256', content, 'hex');
}

/** SQL: the age at which a key expires, by the clock of the database. */
export const IDEMPOTENCY_KEY_AGE = `interval '${IDEMPOTENCY_KEY_HOURS} hours'`;

/**
 * SQL: stores keys, each at most once, and returns `holder`, `key`, `content_hash`, `outcome_id` and `outcome_text` of their first
 * uses. An expired key is as good as new.
 *
 * It updates the row of a used key without a change, because a statement that waited for another transaction does not see what
 * that transaction has committed, but its update on conflict does.
 *
 * @param uses SQL that gives holders, keys, hashes of contents, and ids of outcomes if these are known
 */
export function firstUses(uses: string): string {
  const kept = ['content_hash', 'outcome_id', 'outcome_text', 'created_at'].map(
    (column) =>
      `${column} = case when first.created_at > now() - ${IDEMPOTENCY_KEY_AGE} then first.${column} else excluded.${column} end`,
  );
  return `
    insert into idempotency_keys as first (holder, key, content_hash, outcome_id) ${uses}
    on conflict (holder, key) do update set ${kept.join(', ')}
    returning holder, key, content_hash, outcome_id, outcome_text`;
}
