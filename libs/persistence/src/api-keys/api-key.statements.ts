import type { Statement } from '../sql/sql-executor.js';

/** A point in time as the milliseconds since 1970 that `Date` takes: whole ones, as `Date` has them. */
function milliseconds(column: string): string {
  return `floor(extract(epoch from ${column}) * 1000)::bigint`;
}

/**
 * The live ones among many keys. `$1`: hashes. Rows: hash, id, name, hint, and in milliseconds since 1970 when it was created,
 * expires and was last used; lineage. `char(64)` is compared as what it is: as `text` it would cost the index.
 */
function findApiKeys(name: string): Statement {
  return {
    name,
    text: `
      select hash, id, name, hint,
        ${milliseconds('created_at')}, ${milliseconds('expires_at')}, ${milliseconds('last_used_at')}, lineage_id
      from api_keys
      where hash = any($1::bpchar[]) and revoked_at is null and (expires_at is null or expires_at > now())`,
  };
}

/** For keys that whoever calls may have made up. */
export const FIND_API_KEYS = findApiKeys('find_api_keys');

/** For keys that were found before. */
export const REFRESH_API_KEYS = findApiKeys('refresh_api_keys');

/**
 * Notes the use of keys. `$1`: ids. Instances tell the use of the same keys at the same time: what another one has just told
 * need not be written again, and `skip locked` keeps them from waiting for each other.
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
