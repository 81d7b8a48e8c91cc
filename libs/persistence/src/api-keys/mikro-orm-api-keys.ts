import { ApiKey, ApiKeys } from '@animal-store/auth';
import { onDatabase } from '../errors/on-database.js';
import type { SqlExecutor } from '../sql/sql-executor.js';
import { insertApiKey } from './insert-api-key.js';
import type { ApiKeyChanges } from './api-key-changes.js';
import { MARK_API_KEYS_USED } from './mark-api-keys-used.statement.js';
import type { BatchedApiKeyLookups } from './batched-api-key-lookups.js';

/** The API keys in PostgreSQL. */
export class MikroOrmApiKeys extends ApiKeys {
  /**
   * @param lookups for keys that are not cached and may not exist
   * @param refreshes for keys that were found before
   */
  constructor(
    private readonly changes: ApiKeyChanges,
    private readonly executor: SqlExecutor,
    private readonly lookups: BatchedApiKeyLookups,
    private readonly refreshes: BatchedApiKeyLookups,
  ) {
    super();
  }

  override findByHash(hash: string): Promise<ApiKey | undefined> {
    return this.lookups.submit(hash);
  }

  override findAgain(hash: string): Promise<ApiKey | undefined> {
    return this.refreshes.submit(hash);
  }

  override async markUsed(ids: readonly bigint[]): Promise<void> {
    await onDatabase(() => this.executor.run(MARK_API_KEYS_USED, [ids.map(String)]));
  }

  override put(key: ApiKey): Promise<void> {
    const { name, hash } = key;
    return this.changes.run(async (em, now) => {
      const same = await em.findOne(ApiKey, { hash });
      if (same !== null && (same.name !== name || same.revokedAt !== undefined))
        throw new Error('This key was stored before');
      const before = await em.find(ApiKey, { name, hash: { $ne: hash }, revokedAt: null }, { orderBy: { id: 'asc' } });
      await em.nativeUpdate(ApiKey, { id: before.map(({ id }) => id) }, { revokedAt: now });
      if (same === null)
        await insertApiKey(
          em,
          key,
          now,
          before.findLast((other) => other.isLiveAt(now)),
        );
    });
  }
}
