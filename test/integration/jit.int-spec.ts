import { MikroORM } from '@mikro-orm/postgresql';
import { replicaOptions } from '../../libs/persistence/src/mikro-orm.config.js';
import { PoolSqlExecutor } from '../../libs/persistence/src/sql/pool-sql-executor.js';
import { PetMapping, PETS } from '../../libs/persistence/src/pets/pet.mapping.js';
import { SqlExecutor, type Parameter, type Statement } from '../../libs/persistence/src/sql/sql-executor.js';
import { TableSql } from '../../libs/persistence/src/tables/table-sql.js';
import { createMigratedDatabase } from '../support/databases.js';
import { useService } from '../support/service.js';
import { withClient } from '../support/sql.js';

/** Whether the PostgreSQL server of the test run has a JIT compiler, as in distributions and in Docker's images. */
const HAS_JIT = await withClient(process.env['TEST_SERVER_URL'] ?? '', async (client) => {
  // PostgreSQL looks for the compiler only if `jit` is on.
  await client.query('set jit = on');
  const { rows } = await client.query<{ available: boolean }>('select pg_jit_available() as available');
  return rows[0]?.available === true;
});

const describeWithJit = HAS_JIT ? describe : describe.skip;

/** The part of the output of EXPLAIN that exists for a compiled statement. */
interface Explained {
  readonly JIT?: { readonly Functions: number };
}

/** An empty database that compiles every statement, even a cheap one. A page of millions of pets is compiled in any case. */
async function createCompilingDatabase() {
  const database = await createMigratedDatabase();
  await withClient(database.url, async (client) => {
    const name = `"${new URL(database.url).pathname.slice(1)}"`;
    await client.query(`alter database ${name} set jit = on`);
    await client.query(`alter database ${name} set jit_above_cost = 0`);
  });
  return database;
}

const metadata = new MikroORM({ entities: [PetMapping], dbName: 'none' }).getMetadata(PetMapping.class);
const { find: FIND_PETS, pages: FIND_PAGES } = new TableSql(PETS, metadata).statements;

const statements: { title: string; statement: Statement; values: Parameter[] }[] = [
  { title: 'pages', statement: FIND_PAGES, values: [[0, 0], [20, 20], [false, false], '', ['available', null]] },
  { title: 'pets by their ids', statement: FIND_PETS, values: [[1, 2, 3]] },
];

function explain({ text }: Statement): string {
  return `explain (analyze, format json) ${text}`;
}

describe('the connections of the service', () => {
  const service = useService(createCompilingDatabase);

  function run(text: string, values: Parameter[] = []) {
    return service.get(SqlExecutor, { strict: false }).run({ name: '', text }, values);
  }

  test('have no JIT, whatever the server says', async () => {
    expect(await run('show jit')).toEqual([['off']]);
  });

  test('have no JIT on a replica either', async () => {
    const orm = new MikroORM(replicaOptions(service.database.url, 1, true));
    try {
      expect(await new PoolSqlExecutor(orm.em).run({ name: '', text: 'show jit' }, [])).toEqual([['off']]);
    } finally {
      await orm.close();
    }
  });

  test.each(statements)('compile nothing: $title', async ({ statement, values }) => {
    const [row] = await run(explain(statement), values);
    const [plan] = JSON.parse(row?.[0] as string) as [Explained];
    expect(plan.JIT).toBeUndefined();
  });

  describeWithJit('the connections of others', () => {
    test.each(statements)('compile, or this test would show nothing: $title', async ({ statement, values }) => {
      const { rows } = await withClient(service.database.url, (client) =>
        client.query<{ 'QUERY PLAN': [Explained] }>(explain(statement), values),
      );
      expect(rows[0]?.['QUERY PLAN'][0].JIT?.Functions).toBeGreaterThan(0);
    });
  });
});
