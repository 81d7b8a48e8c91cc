import { ApiKey } from '@animal-store/auth';
import { Batcher } from '../batching/batcher.js';
import type { BatcherStats } from '../batching/batcher-stats.js';
import type { BatchingLimits } from '../batching/batching-limits.js';
import { errorCode } from '../errors/error-code.js';
import { DatabaseUnavailableError } from '../errors/unavailable.errors.js';
import { toBigInt, type Row, type Statement, type SqlExecutor } from '../sql/sql-executor.js';

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
