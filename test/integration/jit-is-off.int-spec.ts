import { MikroORM } from '@mikro-orm/postgresql';
import { readOptions } from '../../libs/persistence/src/mikro-orm.config.js';
import { PoolSqlExecutor } from '../../libs/persistence/src/sql/pool-sql-executor.js';
import { SqlExecutor, type Parameter } from '../../libs/persistence/src/sql/sql-executor.js';
import { createMigratedDatabase } from '../support/databases.js';
import { useService } from '../support/service-without-http.js';
import { withClient } from '../support/database-client.js';

/** An empty database that compiles what is costly, as a page of millions of pets is. */
async function createCompilingDatabase() {
  const database = await createMigratedDatabase();
  await withClient(database.url, async (client) => {
    const name = `"${new URL(database.url).pathname.slice(1)}"`;
    await client.query(`alter database ${name} set jit = on`);
  });
  return database;
}

describe('the connections of the service', () => {
  const service = useService(createCompilingDatabase);

  function run(text: string, values: Parameter[] = []) {
    return service.get(SqlExecutor, { strict: false }).run({ name: '', text }, values);
  }

  test('have no JIT, whatever the server says', async () => {
    expect(await run('show jit')).toEqual([['off']]);
  });

  test('have no JIT at the address of reads either', async () => {
    const orm = new MikroORM(readOptions(service.database.url, 1, true));
    try {
      expect(await new PoolSqlExecutor(orm.em).run({ name: '', text: 'show jit' }, [])).toEqual([['off']]);
    } finally {
      await orm.close();
    }
  });
});
