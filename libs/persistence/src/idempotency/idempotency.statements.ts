import { IDEMPOTENCY_KEY_HOURS } from '@animal-store/kernel';
import type { Statement } from '../sql/sql-executor.js';

/** The age from which on a key is as if it had never been used, by the clock of the database alone. */
export const IDEMPOTENCY_KEY_AGE = `interval '${IDEMPOTENCY_KEY_HOURS} hours'`;

/**
 * Removes keys that are too old to be used, the oldest first. `$1`: how many at most. Rows: one for each that was removed.
 * Instances that sweep at the same time pass over each other's rows, and a key that is being used again is left alone.
 */
export const SWEEP_IDEMPOTENCY_KEYS: Statement = {
  name: 'sweep_idempotency_keys',
  text: `
    delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at <= now() - ${IDEMPOTENCY_KEY_AGE}
      order by created_at limit $1::integer for update skip locked))
    returning 1`,
};

/** Of {@link CLAIM_IDEMPOTENCY_KEY}: in the place of an id while the work is under way, which nobody else sees. */
export const CLAIMED_ID = 0n;

/** SQL: until it is too old, a key stays what it was first used for; then it is as good as new. */
function firstUse(column: string): string {
  return `${column} = case when used.created_at > now() - ${IDEMPOTENCY_KEY_AGE} then used.${column} else excluded.${column} end`;
}

const FIRST_USE = ['fingerprint', 'result_id', 'result_text', 'created_at'].map(firstUse).join(', ');

/** For the statements that write to the table: what becomes of a key that is there already. */
export const KEEP_FIRST_USE = `on conflict (holder, key) do update set ${FIRST_USE}`;

/**
 * Takes a key for the transaction, or waits for who has it. `$1`: holder, `$2`: key, `$3`: fingerprint. Row: the fingerprint that
 * it was first used with, and what came of that: id, text. Both say that it is new where they are those of a claim.
 */
export const CLAIM_IDEMPOTENCY_KEY: Statement = {
  name: 'claim_idempotency_key',
  text: `
    insert into idempotency_keys as used (holder, key, fingerprint, result_id)
    values ($1::text, $2::text, $3::text, ${CLAIMED_ID})
    ${KEEP_FIRST_USE}
    returning fingerprint, result_id, result_text`,
};

/** Keeps what came of a request under the key that was claimed for it. `$1`: holder, `$2`: key, `$3`: id, `$4`: text. */
export const KEEP_OUTCOME: Statement = {
  name: 'keep_outcome',
  text: `
    update idempotency_keys set result_id = $3::bigint, result_text = $4::text
    where holder = $1::text and key = $2::text`,
};
