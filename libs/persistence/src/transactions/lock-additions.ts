import type { EntityManager } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { OutsideUnitOfWorkError } from '@animal-store/kernel';

/** The numbers of the service's advisory locks. PostgreSQL keeps locks with one number apart from those with two. */
export const ADVISORY_LOCKS = {
  /** Held while migrations run. */
  migration: 7_381_000,
  /** Held while API keys change, so that two administrators cannot create two live keys with one name. */
  apiKeys: 7_381_001,
  /** The first number of the locks of additions. The second is the unique number of the table in PostgreSQL (oid). */
  additions: 7_381,
} as const;

/** SQL: takes the lock of additions to a table until the end of the transaction. @param table as SQL, such as `'pets'` */
export function additionsLock(table: string): string {
  return `pg_advisory_xact_lock(${ADVISORY_LOCKS.additions}, ${table}::regclass::oid::integer)`;
}

/**
 * Takes the lock of additions to a table until the end of the transaction. If every addition takes it before its id is
 * assigned, ids become visible in ascending order, on all instances: a client that reads page after page misses no row (ADR
 * 0004). All other additions to the table wait meanwhile, so it comes last in a transaction:
 *
 *     await lockAdditions(em, 'orders');
 *     await em.persist(order).flush();
 *
 * @param table the name of the table, with its schema if it has one of its own
 * @throws OutsideUnitOfWorkError outside of a transaction, where the lock would end at once
 */
export async function lockAdditions(em: EntityManager, table: string): Promise<void> {
  if (!em.isInTransaction()) throw new OutsideUnitOfWorkError('lockAdditions');
  const name = em.getPlatform().quoteIdentifier(table);
  await (em as SqlEntityManager).execute(`select ${additionsLock('?')}`, [name]);
}
