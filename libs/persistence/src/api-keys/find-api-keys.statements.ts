import type { Statement } from '../sql/sql-executor.js';

/** SQL: a point in time as whole milliseconds since 1970, for `Date`. */
function milliseconds(column: string): string {
  return `floor(extract(epoch from ${column}) * 1000)::bigint`;
}

/**
 * Finds live keys. `$1`: hashes. Rows: hash, id, name, hint, the times of creation, expiry and last use in milliseconds since
 * 1970, lineage. The hashes are compared as `char(64)`: a comparison as `text` could not use the index.
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

/** For keys that are not cached and may not exist. */
export const FIND_API_KEYS = findApiKeys('find_api_keys');

/** For keys that were found before. */
export const REFRESH_API_KEYS = findApiKeys('refresh_api_keys');
