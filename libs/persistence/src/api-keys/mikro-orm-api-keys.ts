import { raw } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { ApiKey, ApiKeys } from '@animal-store/auth';
import { onDatabase } from '../database-errors.js';
import type { Statements } from '../statements.js';
import { changeApiKeys, insertApiKey } from './api-key-changes.js';

/**
 * Instances tell the use of the same keys at the same time: what another one has just told need not be written again,
 * and `skip locked` keeps them from waiting for each other.
 */
const MARK_USED = {
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
  constructor(
    private readonly entityManager: SqlEntityManager,
    private readonly statements: Statements,
  ) {
    super();
  }

  override findByHash(hash: string): Promise<ApiKey | undefined> {
    const live = { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: raw('now()') } }] };
    return onDatabase(async () => (await this.entityManager.fork().findOne(ApiKey, { hash, ...live })) ?? undefined);
  }

  override async markUsed(ids: readonly bigint[]): Promise<void> {
    await onDatabase(() => this.statements.run(MARK_USED, [ids.map(String)]));
  }

  override put(key: ApiKey): Promise<void> {
    const { name, hash } = key;
    return changeApiKeys(this.entityManager, async (em, now) => {
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
