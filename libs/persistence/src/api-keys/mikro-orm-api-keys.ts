import { ApiKey, ApiKeys } from '@animal-store/auth';
import { onDatabase } from '../errors/unavailability.js';
import type { Statement, SqlExecutor } from '../sql/sql-executor.js';
import { type ApiKeyChanges, insertApiKey } from './mikro-orm-api-key-administration.js';
import { NEXT_API_KEY_EXPIRY, type BatchedApiKeyLookups } from './api-key-lookups.js';

/**
 * Notes the use of keys. `$1`: ids. Several instances note the use of the same keys at the same time. So a use that was noted
 * recently is not written again, and `skip locked` prevents waits.
 */
const MARK_API_KEYS_USED: Statement = {
  name: 'mark-api-keys-used',
  text: `
    update api_keys set last_used_at = now()
    where id in (
      select id from api_keys
      where id = any($1::bigint[]) and (last_used_at is null or last_used_at < now() - interval '30 seconds')
      for update skip locked
    )`,
};

/** The API keys in PostgreSQL. */
export class MikroOrmApiKeys extends ApiKeys {
  /**
   * @param lookupExecutor on connections that requests cannot exhaust
   * @param lookups for keys that are not cached and may not exist
   * @param refreshes for keys that were found before
   */
  constructor(
    private readonly changes: ApiKeyChanges,
    private readonly executor: SqlExecutor,
    private readonly lookupExecutor: SqlExecutor,
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

  override async nextExpiry(): Promise<{ name: string; expiresAt: Date } | undefined> {
    const [next] = await onDatabase(() => this.lookupExecutor.run(NEXT_API_KEY_EXPIRY, []));
    return next && { name: next[0] as string, expiresAt: new Date(Number(next[1])) };
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
