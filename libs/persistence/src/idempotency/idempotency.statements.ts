import { IDEMPOTENCY_KEY_HOURS } from '@animal-store/kernel';
import type { Statement } from '../statements.js';

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
