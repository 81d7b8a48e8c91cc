import { MikroORM } from '@mikro-orm/postgresql';
import { Logger } from '@nestjs/common';
import { JitCheck } from '../../libs/persistence/src/jit-check.js';
import { replicaOptions } from '../../libs/persistence/src/mikro-orm.config.js';
import { PoolSqlExecutor } from '../../libs/persistence/src/sql/pool-sql-executor.js';
import { PetMapping, PETS } from '../../libs/persistence/src/pets/pet.mapping.js';
import { SqlExecutor, type Parameter, type Statement } from '../../libs/persistence/src/sql/sql-executor.js';
import { TableSql } from '../../libs/persistence/src/tables/table-sql.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { openService, useService } from '../support/service.js';
import { withClient } from '../support/sql.js';

const { jest } = import.meta;

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

test('a service can be closed as soon as it has started', async () => {
  const database = await createMigratedDatabase();
  let closed = 0;
  for (; closed < 5; closed += 1) await (await openService(database)).close();
  await database.remove();
  expect(closed).toBe(5);
});

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

  test('plan a prepared statement once', async () => {
    expect(await run('show plan_cache_mode')).toEqual([['force_generic_plan']]);
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

describeWithJit('where what they say at their start does not reach the server, as through PgBouncer', () => {
  const database = useDatabase(createCompilingDatabase);

  /** The warnings of a service that starts on the database, until its JIT check is complete. */
  async function warningsOfStart(): Promise<unknown[]> {
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const service = await openService({
      environment: { ...database.environment, DATABASE_PREPARED_STATEMENTS: 'false' },
    });
    try {
      await service.get(JitCheck, { strict: false }).checked;
      return (warn.mock.calls as unknown[][]).flat();
    } finally {
      await service.close();
      warn.mockRestore();
    }
  }

  test('a start warns once that PostgreSQL compiles', async () => {
    expect(await warningsOfStart()).toEqual([expect.stringMatching(/alter role \w+ set jit = off;/)]);
  });

  test('a start warns of nothing where the settings of the role turn it off, as the manual says', async () => {
    const { username, pathname } = new URL(database.url);
    await withClient(database.url, (client) =>
      client.query(`alter role "${username}" in database "${pathname.slice(1)}" set jit = off`),
    );
    expect(await warningsOfStart()).toEqual([]);
  });
});
