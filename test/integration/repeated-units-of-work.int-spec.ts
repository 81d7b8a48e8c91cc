import { UnitOfWork } from '@animal-store/kernel';
import { Statements, type Row } from '../../libs/persistence/src/statements.js';
import { createMigratedDatabase } from '../support/databases.js';
import { useService } from '../support/service-without-http.js';

const service = useService(createMigratedDatabase);
let statements: Statements;
let unitOfWork: UnitOfWork;

beforeAll(async () => {
  statements = service.get(Statements, { strict: false });
  unitOfWork = service.get(UnitOfWork, { strict: false });
  await statements.run({ name: '', text: 'create table notes (id bigint primary key, text text not null)' }, []);
  await statements.run({ name: '', text: "insert into notes values (1, ''), (2, '')" }, []);
});

/** Runs a statement in the transaction of the caller. */
async function run(text: string, ...values: string[]): Promise<readonly Row[]> {
  if (!statements.areInTransaction) throw new Error('There is no transaction');
  return statements.run({ name: '', text }, values);
}

describe('a unit of work', () => {
  test('is run again after a deadlock', async () => {
    let attempts = 0;
    const meet = meetingOf(2);
    const oneEnds = Promise.withResolvers<undefined>();
    const lock = async (...ids: [number, number]) => {
      await unitOfWork.run(async () => {
        attempts += 1;
        // The second attempt of the one that PostgreSQL gave up must not meet the other one in a second deadlock.
        if (attempts > 2) await oneEnds.promise;
        await run("update notes set text = text || 'x' where id = $1", String(ids[0]));
        await meet();
        await run("update notes set text = text || 'x' where id = $1", String(ids[1]));
      });
      oneEnds.resolve(undefined);
    };
    await Promise.all([lock(1, 2), lock(2, 1)]);
    expect(attempts).toBe(3);
    expect(await statements.run({ name: '', text: 'select text from notes order by id' }, [])).toEqual([
      ['xx'],
      ['xx'],
    ]);
  });

  test('is given up after five attempts, and tells that nothing was done', async () => {
    let attempts = 0;
    const unit = unitOfWork.run(() => {
      attempts += 1;
      return run("do $$ begin raise exception using errcode = '40001'; end $$");
    });
    await expect(unit).rejects.toMatchObject({ kind: 'unavailable', code: 'service_unavailable' });
    expect(attempts).toBe(5);
  });
});

/** A meeting point: the callers wait until `count` of them have arrived for the first time. */
function meetingOf(count: number): () => Promise<unknown> {
  const all = Promise.withResolvers<undefined>();
  let came = 0;
  return () => {
    came += 1;
    if (came >= count) all.resolve(undefined);
    return all.promise;
  };
}
