import { IDEMPOTENCY_KEY_HOURS } from '@animal-store/kernel';
import type { Statement } from '../sql/sql-executor.js';

/** The age at which a key expires, by the clock of the database. */
export const IDEMPOTENCY_KEY_AGE = `interval '${IDEMPOTENCY_KEY_HOURS} hours'`;

/**
 * Removes expired keys, oldest first. `$1`: the maximum number. Rows: one for each removed key. Rows that another instance removes
 * at the same time, and keys that are being used again, are skipped.
 */
export const SWEEP_IDEMPOTENCY_KEYS: Statement = {
  name: 'sweep_idempotency_keys',
  text: `
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at <= now() - ${IDEMPOTENCY_KEY_AGE}
      order by created_at limit $1::integer for update skip locked))
    returning 1`,
};

/** The id that {@link CLAIM_IDEMPOTENCY_KEY} stores while the work runs. Other transactions never see it. */
export const CLAIMED_ID = 0n;

/** SQL: keeps the value of a key's first use, unless the key has expired. */
function firstUse(column: string): string {
  return `${column} = case when used.created_at > now() - ${IDEMPOTENCY_KEY_AGE} then used.${column} else excluded.${column} end`;
}

const FIRST_USE = ['fingerprint', 'result_id', 'result_text', 'created_at'].map(firstUse).join(', ');

/** SQL, for statements that write to the table: what happens if the key exists already. */
export const KEEP_FIRST_USE = `on conflict (holder, key) do update set ${FIRST_USE}`;

/**
 * Claims a key for the transaction. If another transaction has claimed it, the statement waits for that transaction. `$1`: holder,
 * `$2`: key, `$3`: fingerprint. Row: the fingerprint of the first use, and its outcome: id, text. A new key has the id
 * {@link CLAIMED_ID} and no text.
 */
export const CLAIM_IDEMPOTENCY_KEY: Statement = {
  name: 'claim_idempotency_key',
  text: `
    insert into idempotency_keys as used (holder, key, fingerprint, result_id)
    values ($1::text, $2::text, $3::text, ${CLAIMED_ID})
    ${KEEP_FIRST_USE}
    returning fingerprint, result_id, result_text`,
};

/** Stores the outcome of a request under its claimed key. `$1`: holder, `$2`: key, `$3`: id, `$4`: text. */
export const KEEP_OUTCOME: Statement = {
  name: 'keep_outcome',
  text: `
    update idempotency_keys set result_id = $3::bigint, result_text = $4::text
    where holder = $1::text and key = $2::text`,
};
