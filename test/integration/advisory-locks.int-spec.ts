import { MikroORM } from '@mikro-orm/postgresql';
import { lockAdditions } from '@animal-store/persistence';
import { ADVISORY_LOCKS, additionsLock } from '../../libs/persistence/src/transactions/lock-additions.js';
import { createMigratedDatabase } from '../support/databases.js';
import { useService } from '../support/service-without-http.js';
import { withClient } from '../support/database-client.js';

describe('the locks that order the additions to tables', () => {
  const service = useService(createMigratedDatabase);

  /** Takes these locks in a transaction. @returns the held locks as PostgreSQL lists them */
  function held(...locks: string[]): Promise<{ name: string; space: number }[]> {
    return withClient(service.database.url, async (client) => {
      await client.query('begin');
      for (const lock of locks) await client.query(`select ${lock}`);
      const { rows } = await client.query<{ name: string; space: number }>(`
        select classid || '/' || objid as name, objsubid as space from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`);
      return rows;
    });
  }

  test('are different ones for two tables, however they are named', async () => {
    await withClient(service.database.url, (client) => client.query(`create table "it's ""one""" (id int)`));
    const tables = ["'pets'", "'api_keys'", "'idempotency_keys'", `'"it''s ""one"""'`];
    expect(await held(...tables.map((table) => additionsLock(table)))).toHaveLength(tables.length);
  });

  test('are taken for a table by its name, and only inside of a transaction', async () => {
    const em = service.get(MikroORM, { strict: false }).em;
    await em.fork().execute('create table "My Orders" (id int)');
    await expect(lockAdditions(em.fork(), 'My Orders')).rejects.toThrow(/lockAdditions belongs inside a unit of work/);
    await em.fork().transactional(async (inside) => {
      await lockAdditions(inside, 'My Orders');
      const { rows } = await withClient(service.database.url, (client) =>
        client.query<{ free: boolean }>(
          `select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.additions}, '"My Orders"'::regclass::oid::integer) as free`,
        ),
      );
      expect(rows).toEqual([{ free: false }]);
    });
  });
});
