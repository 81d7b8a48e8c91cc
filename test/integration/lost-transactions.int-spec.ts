import { setTimeout as delay } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/core';
import { Transactional } from '@mikro-orm/decorators/legacy';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { UnitOfWork } from '@animal-store/kernel';
import { Statements, type Row } from '../../libs/persistence/src/statements.js';
import { LOSE, withClient } from '../support/database-client.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { openService, type Service } from '../support/service-without-http.js';

const POOL_SIZE = 2;

/** Written as in the documentation of MikroORM. */
class Declared {
  constructor(readonly em: SqlEntityManager) {}

  @Transactional()
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    return await work();
  }
}

const database = useDatabase(createMigratedDatabase);
let service: Service;
let statements: Statements;
let unitOfWork: UnitOfWork;
let em: SqlEntityManager;

beforeAll(async () => {
  const environment = { ...database.environment, DATABASE_POOL_SIZE: String(POOL_SIZE) };
  service = await openService({ environment });
  statements = service.get(Statements, { strict: false });
  unitOfWork = service.get(UnitOfWork, { strict: false });
  em = service.get<SqlEntityManager>(EntityManager, { strict: false });
  await statements.run({ name: '', text: 'create table notes (id bigint primary key, text text not null)' }, []);
  await statements.run({ name: '', text: "insert into notes values (1, ''), (2, '')" }, []);
});

afterAll(() => service.close());

/** Runs a statement in the transaction of the caller. */
async function run(text: string, ...values: string[]): Promise<readonly Row[]> {
  if (!statements.areInTransaction) throw new Error('There is no transaction');
  return statements.run({ name: '', text }, values);
}

type Work = <Result>(work: () => Promise<Result>) => Promise<Result>;

const WAYS: readonly [string, Work][] = [
  ['a unit of work', (work) => unitOfWork.run(work)],
  ['em.transactional of the injected entity manager', (work) => em.transactional(work)],
  ['a transaction inside another', (work) => em.transactional(() => em.transactional(work))],
  ['@Transactional()', (work) => new Declared(em).run(work)],
];

describe.each(WAYS)('%s', (_name, transaction) => {
  /** Runs the work once more than there are connections. Then all connections must still be usable. */
  async function eachConnection(work: () => Promise<unknown>): Promise<void> {
    for (let times = 0; times <= POOL_SIZE; times += 1) await work();
    const all = Array.from({ length: POOL_SIZE }, () => statements.run({ name: '', text: 'select pg_sleep(0.1)' }, []));
    await expect(Promise.all(all)).resolves.toHaveLength(POOL_SIZE);
    await expect(transaction(() => run('select 1'))).resolves.toHaveLength(1);
  }

  test('costs no connection where it is lost with a statement under way', async () => {
    await eachConnection(() => expect(transaction(() => run(LOSE))).rejects.toThrow());
  });

  test('costs no connection where it is lost between two statements', async () => {
    await eachConnection(() =>
      expect(
        transaction(async () => {
          const [row] = await run('select pg_backend_pid()');
          await withClient(database.url, (client) => client.query('select pg_terminate_backend($1, 5000)', [row?.[0]]));
          await delay(20);
          await run('select 1');
        }),
      ).rejects.toThrow(),
    );
  });

  test('costs no connection where it is lost with the commit, and tells that the outcome is unknown', async () => {
    await statements.run(
      {
        name: '',
        text: `create or replace function lose() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()), pg_sleep(20); return null; end $$`,
      },
      [],
    );
    await statements.run(
      {
        name: '',
        text: 'create constraint trigger lose after update on notes deferrable initially deferred for each row execute function lose()',
      },
      [],
    );
    try {
      await eachConnection(() =>
        expect(transaction(() => run("update notes set text = 'lost' where id = 1"))).rejects.toMatchObject({
          kind: 'unavailable',
          message: expect.stringContaining('may or may not') as string,
        }),
      );
    } finally {
      await statements.run({ name: '', text: 'drop trigger lose on notes' }, []);
    }
  });
});
