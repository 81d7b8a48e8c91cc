import type { MikroORM } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { LOCK_WAIT_MS } from './lock-timeout.js';

/** The indexes of this role that PostgreSQL does not use. An index of a partitioned table is not valid until all its parts are. */
const INVALID = `
  select indexrelid::regclass::text as index, indrelid::regclass::text as table
  from pg_index join pg_class on pg_class.oid = indexrelid join pg_namespace on pg_namespace.oid = relnamespace
  where not indisvalid and relkind = 'i' and nspname !~ '^pg_' and pg_has_role(relowner, 'USAGE')`;

/**
 * Drops the invalid indexes that `create index concurrently` leaves behind when it fails or is ended, so that the migration can
 * make the index again. PostgreSQL uses such an index for no query.
 *
 * An index is invalid while it is made, too. Whoever makes one holds this lock on the table. So an index that somebody makes
 * is waited for, at most as long as a migration waits for a lock, and is valid and stays when it is done.
 *
 * @param onDropped called with the name of each dropped index
 * @throws DriverException of a lock timeout when somebody makes an index of that table, or uses the table
 */
export async function dropInvalidIndexes(orm: MikroORM, onDropped: (index: string) => void): Promise<void> {
  const em = orm.em.fork() as SqlEntityManager;
  for (const { index, table } of await em.execute<{ index: string; table: string }[]>(INVALID)) {
    const isDropped = await em.transactional(async (inside) => {
      await inside.execute(`set local lock_timeout = ${LOCK_WAIT_MS}`);
      await inside.execute(`lock table ${table} in share update exclusive mode`);
      const found = await inside.execute<{ index: string }[]>(INVALID);
      if (!found.some((each) => each.index === index)) return false;
      await inside.execute(`drop index ${index}`);
      return true;
    });
    if (isDropped) onDropped(index);
  }
}
