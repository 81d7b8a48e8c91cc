import type { SqlEntityManager } from '@mikro-orm/sql';
import { ApiKey } from '@animal-store/auth';

/** Adds a key. It continues the lineage of the key that it replaces, or begins a new lineage. */
export async function insertApiKey(
  em: SqlEntityManager,
  { name, hash, expiresAt, hint }: ApiKey,
  now: Date,
  replaced?: ApiKey,
): Promise<ApiKey> {
  await em.insert(ApiKey, { name, hash, expiresAt, hint, createdAt: now, lineageId: replaced?.lineageId ?? null });
  const inserted = await em.findOneOrFail(ApiKey, { hash });
  if (replaced === undefined) await em.nativeUpdate(ApiKey, { id: inserted.id }, { lineageId: inserted.id });
  return inserted;
}
