import { ApiKey } from '@animal-store/auth';
import { Batcher, type BatcherStats } from '../batching/batcher.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { errorCode } from '../errors/database-errors.js';
import { DatabaseUnavailableError } from '../errors/unavailability.js';
import { type Statement, toBigInt, type Row, type SqlExecutor } from '../sql/sql-executor.js';

/** SQL: a point in time as whole milliseconds since 1970, for `Date`. */
function milliseconds(column: string): string {
  return `floor(extract(epoch from ${column}) * 1000)::bigint`;
}

/**
 * Finds keys. `$1`: hashes. Rows: hash, id, name, hint, the times of creation, expiry and last use in milliseconds since
 * 1970, lineage, the scopes separated by blanks, and why the key is refused, if it is. The hashes are compared as
 * `char(64)`: a comparison as `text` could not use the index.
 */
function findApiKeys(name: string): Statement {
  return {
    name,
    text: `
      select hash, id, name, hint,
        ${milliseconds('created_at')}, ${milliseconds('expires_at')}, ${milliseconds('last_used_at')}, lineage_id,
        array_to_string(scopes, ' '),
        case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' end
      from api_keys
      where hash = any($1::bpchar[])`,
  };
}

/** For keys that are not cached and may not exist. */
export const FIND_API_KEYS = findApiKeys('find_api_keys');

/** For keys that were found before. */
export const REFRESH_API_KEYS = findApiKeys('refresh_api_keys');

/** Finds the name that is the first to lose access, and when, in milliseconds since 1970. */
export const NEXT_API_KEY_EXPIRY: Statement = {
  name: 'next_api_key_expiry',
  text: `
    select name, ${milliseconds('max(expires_at)')}
    from api_keys
    where revoked_at is null and (expires_at is null or expires_at > now())
    group by name
    having bool_and(expires_at is not null)
    order by 2
    limit 1`,
};

/** Looks up API keys. Waiting lookups share a statement. */
export class BatchedApiKeyLookups {
  private readonly batcher: Batcher<string, ApiKey | undefined>;

  constructor(
    private readonly executor: SqlExecutor,
    private readonly statement: Statement,
    limits: BatchingLimits,
  ) {
    this.batcher = new Batcher({ ...limits, writes: false, run: (hashes) => this.find(hashes) });
  }

  /** For metrics. */
  get batchers(): Readonly<Record<string, BatcherStats>> {
    return { [this.statement.name]: this.batcher };
  }

  /** The key with this hash, with its `end` by the clock of the database. */
  submit(hash: string): Promise<ApiKey | undefined> {
    return this.batcher.submit(hash);
  }

  private async find(hashes: readonly string[]): Promise<(ApiKey | undefined)[]> {
    const rows = await this.executor.run(this.statement, [hashes]).catch((error: unknown) => {
      throw lacksColumn(error) ? new DatabaseUnavailableError(error) : error;
    });
    const found = new Map(rows.map((row) => [row[0], toApiKey(row)]));
    return hashes.map((hash) => found.get(hash));
  }
}

/** Whether a column is missing (SQLSTATE 42703, undefined_column): a pending migration will add it. */
function lacksColumn(error: unknown): boolean {
  return error instanceof Error && errorCode(error) === '42703';
}

function toApiKey([hash, id, name, hint, createdAt, expiresAt, lastUsedAt, lineageId, scopes, end]: Row): ApiKey {
  const key = new ApiKey(
    name as string,
    hash as string,
    toDate(expiresAt),
    (hint ?? undefined) as string | undefined,
    (scopes as string | null)?.split(' ').filter((scope) => scope !== ''),
  );
  return Object.assign(key, {
    id: toBigInt(id),
    createdAt: toDate(createdAt),
    lastUsedAt: toDate(lastUsedAt),
    lineageId: lineageId === null ? undefined : toBigInt(lineageId),
    end: end ?? undefined,
  });
}

function toDate(milliseconds: unknown): Date | undefined {
  return milliseconds === null ? undefined : new Date(Number(milliseconds));
}
