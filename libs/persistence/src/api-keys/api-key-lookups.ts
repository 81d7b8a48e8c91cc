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

  /** The key with this hash, if it is live by the clock of the database. */
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

function toApiKey([hash, id, name, hint, createdAt, expiresAt, lastUsedAt, lineageId]: Row): ApiKey {
  const key = new ApiKey(name as string, hash as string, toDate(expiresAt), (hint ?? undefined) as string | undefined);
  return Object.assign(key, {
    id: toBigInt(id),
    createdAt: toDate(createdAt),
    lastUsedAt: toDate(lastUsedAt),
    lineageId: lineageId === null ? undefined : toBigInt(lineageId),
  });
}

function toDate(milliseconds: unknown): Date | undefined {
  return milliseconds === null ? undefined : new Date(Number(milliseconds));
}
