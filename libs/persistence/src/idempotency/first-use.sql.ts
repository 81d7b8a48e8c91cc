import { IDEMPOTENCY_KEY_HOURS } from '@animal-store/kernel';

/** The age at which a key expires, by the clock of the database. */
export const IDEMPOTENCY_KEY_AGE = `interval '${IDEMPOTENCY_KEY_HOURS} hours'`;

/** SQL: keeps the value of a key's first use, unless the key has expired. */
function firstUse(column: string): string {
  return `${column} = case when used.created_at > now() - ${IDEMPOTENCY_KEY_AGE} then used.${column} else excluded.${column} end`;
}

const FIRST_USE = ['fingerprint', 'result_id', 'result_text', 'created_at'].map(firstUse).join(', ');

/** SQL, for statements that write to the table: what happens if the key exists already. */
export const KEEP_FIRST_USE = `on conflict (holder, key) do update set ${FIRST_USE}`;
