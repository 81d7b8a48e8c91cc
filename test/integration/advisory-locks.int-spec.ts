import { ADVISORY_LOCKS, orderingLock } from '../../libs/persistence/src/sql/advisory-locks.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { withClient } from '../support/database-client.js';

describe('the locks that order the additions to tables', () => {
  const database = useDatabase(createMigratedDatabase);

  /** Takes these locks in a transaction. @returns the held locks as PostgreSQL lists them */
  function held(...locks: string[]): Promise<{ name: string; space: number }[]> {
    return withClient(database.url, async (client) => {
      await client.query('begin');
      for (const lock of locks) await client.query(`select ${lock}`);
      const { rows } = await client.query<{ name: string; space: number }>(`
        select classid || '/' || objid as name, objsubid as space from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`);
      return rows;
    });
  }

  test('are different ones for two tables, however they are named', async () => {
    await withClient(database.url, (client) => client.query(`create table "it's ""one""" (id int)`));
    const tables = ['"pets"', '"api_keys"', '"idempotency_keys"', `"it's ""one"""`];
    expect(await held(...tables.map((table) => orderingLock(table)))).toHaveLength(tables.length);
  });

  test('are none of those with a number', async () => {
    const numbers = Object.values(ADVISORY_LOCKS).map((number) => `pg_advisory_xact_lock(${number})`);
    expect(await held(orderingLock('"api_keys"'), ...numbers)).toHaveLength(numbers.length + 1);
  });
});
