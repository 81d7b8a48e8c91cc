import type { SqlEntityManager } from '@mikro-orm/sql';
import { ApiKey } from '@animal-store/auth';
import { onDatabase } from '../database-errors.js';

/** Held while API keys change, so that two administrators cannot both give a name its only live key. */
const CHANGE_KEYS_LOCK = 7_381_002;

/**
 * Runs `work` in a transaction, with the time of the database, when every change before it is done.
 * The lock ends with the transaction, so it passes a PgBouncer that pools by transaction.
 */
export function changeApiKeys<Result>(
  entityManager: SqlEntityManager,
  work: (em: SqlEntityManager, now: Date) => Promise<Result>,
): Promise<Result> {
  // Not `em.transactional`: when the connection is lost on the way, its rollback fails and the pool never gets the
  // connection back, so that closing the pool would wait for ever. This needs no unit of work, only the transaction.
  const connection = entityManager.getConnection();
  return onDatabase(async () => {
    // MikroORM asks a question of its own when it connects first. Inside the transaction it would wait for a second
    // connection, for ever where the pool has one.
    await connection.ensureConnection();
    return await connection
      .getClient()
      .transaction()
      .execute(async (transactionContext) => {
        const em = entityManager.fork();
        em.setTransactionContext(transactionContext);
        await em.execute(`select pg_advisory_xact_lock(${CHANGE_KEYS_LOCK})`);
        const [row] = await em.execute<{ now: number }[]>(
          'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
        );
        return work(em, new Date(Number(row?.now)));
      });
  });
}

/** Adds a key that goes on the lineage of the one that it takes the place of, or else begins one of its own. */
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
