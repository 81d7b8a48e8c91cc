import type { Statement } from '../sql/sql-executor.js';
import { IDEMPOTENCY_KEY_AGE } from './first-use.sql.js';

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
