import { setTimeout as delay } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/core';
import { Transactional } from '@mikro-orm/decorators/legacy';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Idempotency, UnitOfWork } from '@animal-store/kernel';
import { Pet } from '@animal-store/pets-domain';
import { Statements, type Row } from '../../libs/persistence/src/statements.js';
import { createMigratedDatabase } from '../support/databases.js';
import { useService } from '../support/service-without-http.js';

/** A repository as a module writes it. It uses the transaction of the caller if there is one. */
class Notes {
  constructor(private readonly statements: Statements) {}

  async add(text: string): Promise<void> {
    await this.run('insert_note', 'insert into notes (text) values ($1)', text);
  }

  async all(): Promise<unknown[]> {
    return (await this.run('find_notes', 'select text from notes order by id')).map(([text]) => text);
  }

  run(name: string, text: string, ...values: (string | null)[]): Promise<readonly Row[]> {
    return this.statements.run({ name, text }, values);
  }
}

/** A class whose method is a transaction, as MikroORM documents it. */
class Transactions {
  constructor(readonly em: SqlEntityManager) {}

  @Transactional()
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    return await work();
  }
}

const NO = new Error('no');

/** Expects that the unit rejects with the error that the work throws. */
async function refused(unit: Promise<unknown>): Promise<void> {
  await expect(unit).rejects.toBe(NO);
}

describe('on PostgreSQL', () => {
  const service = useService(createMigratedDatabase);
  let statements: Statements;
  let unitOfWork: UnitOfWork;
  let em: SqlEntityManager;
  let notes: Notes;

  beforeAll(async () => {
    statements = service.get(Statements, { strict: false });
    unitOfWork = service.get(UnitOfWork, { strict: false });
    em = service.get<SqlEntityManager>(EntityManager, { strict: false });
    notes = new Notes(statements);
    await statements.run(
      { name: '', text: 'create table notes (id bigint generated always as identity primary key, text text not null)' },
      [],
    );
  });

  beforeEach(async () => {
    await statements.run({ name: '', text: 'delete from notes' }, []);
  });

  /** Runs the work under a key that was not used before, or under none. */
  async function once<Result>(work: () => Promise<Result>, key?: string): Promise<Result> {
    const results: Result[] = [];
    await service
      .get(Idempotency, { strict: false })
      .once(key === undefined ? key : { holder: 'test', key }, key ?? '', async () => {
        results.push(await work());
        return { id: 1n, text: '{}' };
      });
    return results.at(-1)!;
  }

  const WAYS: readonly [string, <Result>(work: () => Promise<Result>) => Promise<Result>][] = [
    ['a unit of work', (work) => unitOfWork.run(work)],
    ['em.transactional of a fork', (work) => em.fork().transactional(work)],
    ['em.transactional of the injected entity manager', (work) => em.transactional(work)],
    ['@Transactional()', (work) => new Transactions(em).run(work)],
    ['work under a key', (work) => once(work, crypto.randomUUID())],
    ['work under no key', (work) => once(work)],
    ['a unit of work inside another', (work) => unitOfWork.run(() => unitOfWork.run(work))],
    ['a unit of work inside em.transactional', (work) => em.transactional(() => unitOfWork.run(work))],
    ['em.transactional inside a unit of work', (work) => unitOfWork.run(() => em.transactional(work))],
  ];

  describe.each(WAYS)('%s', (_name, run) => {
    test('gives what the work gives, and keeps what it did', async () => {
      expect(
        await run(async () => {
          await notes.add('one');
          await notes.add('two');
          return notes.all();
        }),
      ).toEqual(['one', 'two']);
      expect(await notes.all()).toEqual(['one', 'two']);
    });

    test('undoes everything when the work throws', async () => {
      await refused(
        run(async () => {
          await notes.add('one');
          expect(await notes.all()).toEqual(['one']);
          throw NO;
        }),
      );
      expect(await notes.all()).toEqual([]);
    });

    test('is begun even where its first statement is refused', async () => {
      await expect(
        run(async () => {
          await notes.run('', 'select is no statement').catch(() => undefined);
          await notes.add('one');
        }),
      ).rejects.toMatchObject({ code: '25P02' });
      expect(await notes.all()).toEqual([]);
    });

    test('says that nothing was committed where the work went on without a statement that was refused', async () => {
      await expect(
        run(async () => {
          await notes.add('one');
          await notes.run('', 'insert into notes (text) values ($1)', null).catch(() => undefined);
        }),
      ).rejects.toMatchObject({ code: '25P02' });
      expect(await notes.all()).toEqual([]);
    });

    test('is where an entity manager works too, and flushed before the commit', async () => {
      const id = await run(async () => {
        const [row] = await notes.run(
          '',
          "insert into pets (name, category_id, status) values ('Rex', 7, 'available') returning id",
        );
        const id = BigInt(row?.[0] as string);
        expect(await em.findOneOrFail(Pet, { id })).toMatchObject({ name: 'Rex' });
        em.persist(em.create(Pet, { id: id + 1_000_000n, name: 'Tom', categoryId: 7n, status: 'available' } as never));
        return id;
      });
      expect(await em.fork().count(Pet, { id: [id, id + 1_000_000n] })).toBe(2);
    });
  });

  test('what another does meanwhile is not undone', async () => {
    const other = Promise.withResolvers<undefined>();
    const unit = unitOfWork.run(async () => {
      await notes.add('mine');
      other.resolve(undefined);
      // Long enough for the other statements to be sent, if they can be sent.
      await delay(200);
      throw NO;
    });
    await other.promise;
    const strangers = Promise.all([
      statements.run({ name: '', text: "insert into notes (text) values ('by a statement')" }, []),
      em.fork().execute("insert into notes (text) values ('by an entity manager')"),
      unitOfWork.run(() => notes.add('by a unit')),
    ]);
    await refused(unit);
    await strangers;
    expect((await notes.all()).toSorted()).toEqual(['by a statement', 'by a unit', 'by an entity manager']);
  });
});
