import type { Statement } from '../sql/sql-executor.js';

/**
 * Notes the use of keys. `$1`: ids. Several instances note the use of the same keys at the same time. So a use that was noted
 * recently is not written again, and `skip locked` prevents waits.
 */
export const MARK_API_KEYS_USED: Statement = {
  name: 'mark-api-keys-used',
  text: `
    update api_keys set last_used_at = now()
    where id in (
      select id from api_keys
      where id = any($1::bigint[]) and (last_used_at is null or last_used_at < now() - interval '30 seconds')
      for update skip locked
    )`,
};
