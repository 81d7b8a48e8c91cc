import type { Statement } from '../sql/sql-executor.js';
import { KEEP_FIRST_USE } from './first-use.sql.js';

/** The id that {@link CLAIM_IDEMPOTENCY_KEY} stores while the work runs. Other transactions never see it. */
export const CLAIMED_ID = 0n;

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
