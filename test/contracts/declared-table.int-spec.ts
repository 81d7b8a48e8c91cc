import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { Idempotency, IdempotencyKeyReusedError, INT64_MAX, INT64_MIN, UnitOfWork } from '@animal-store/kernel';
import type { Table } from '@animal-store/persistence/tables';
import { createMigratedDatabase, useOnDatabase, type TestDatabase } from '../support/databases.js';
import type { Service } from '../support/service-without-http.js';
import { NewVisit, openVisits, VISIT_KINDS, Visit, VisitReadModel, Visits } from './visits.js';
import { describeIdempotency } from './idempotency.contract.js';
import { idsOf } from './paging.contract.js';

type VisitTable = Table<Visit, NewVisit>;

const [CHECK, BIG_ONE] = VISIT_KINDS;

const texts = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .filter((text) => !text.includes('\0') && text.isWellFormed());

/** Values that both `JSON.stringify` and PostgreSQL keep: no negative zero, and only numbers that both write in the same way. */
const values = fc.oneof(
  texts,
  fc.integer().map((n) => n || 0),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(' ', '\\" : ,', 'a\\'),
);

const newVisits = fc
  .record({
    petId: fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
    kind: fc.constantFrom(...VISIT_KINDS),
    at: fc.date({
      min: new Date('1900-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    }),
    urgent: fc.boolean(),
    findings: fc.array(
      fc.oneof(
        values,
        fc.dictionary(
          texts.filter((name) => name !== '__proto__'),
          values,
          { maxKeys: 3 },
        ),
      ),
      { maxLength: 3 },
    ),
    minutes: fc.option(fc.integer({ min: -32_768, max: 32_767 }), { nil: undefined }),
    note: fc.option(texts, { nil: undefined }),
    // Only one member, because PostgreSQL has its own order of members.
    labels: fc.option(
      fc.dictionary(
        texts.filter((name) => name !== '__proto__'),
        fc.array(values, { maxLength: 3 }),
        { maxKeys: 1 },
      ),
      { nil: undefined },
    ),
  })
  .map((v) => new NewVisit(v.petId, v.kind, v.at, v.urgent, v.findings, v.minutes, v.note, v.labels));

function visit(kind: string = CHECK, petId = 7n): NewVisit {
  return new NewVisit(petId, kind, new Date('2026-11-22T10:00:00.001Z'), false, [
    { id: 5, text: '},{"id":' },
    { id: 6 },
  ]);
}

/** The JSON text as the API writes it. Missing members are left out. */
function textOf({ id, petId, kind, minutes, note, urgent, at, findings, labels }: Visit): string {
  const rest = JSON.stringify({ kind, minutes, note, urgent, at, findings, labels });
  return `{"id":${id},"petId":${petId},${rest.slice(1)}`;
}

async function open() {
  const database: TestDatabase = await createMigratedDatabase();
  const service = await openVisits(database);
  const close = async () => {
    await service.close();
    await database.remove();
  };
  return { service, table: tableOf(service), readModel: service.get(VisitReadModel, { strict: false }), close };
}

describeIdempotency('of work in PostgreSQL', async () => {
  const { service, table, readModel, close } = await open();
  const idempotency = service.get(Idempotency, { strict: false });
  return {
    once: async (request, key) => {
      const { id, replayed } = await idempotency.once(key, `visit ${request}`, async () => {
        const added = await table.add(visit(CHECK, BigInt(request)));
        return { id: added.id, text: textOf(added) };
      });
      return { id, replayed };
    },
    make: async () => (await table.add(visit())).id,
    after: async (afterId) => idsOf((await readModel.findPage({ limit: 5_000, afterId })).text),
    close,
  };
});

describe('a row of a declared table', () => {
  let opened: Awaited<ReturnType<typeof open>>;
  let table: VisitTable;
  let units: UnitOfWork;

  beforeAll(async () => {
    opened = await open();
    ({ table } = opened);
    units = opened.service.get(UnitOfWork, { strict: false });
  });

  afterAll(async () => {
    await opened.close();
  });

  function readModel() {
    return opened.readModel;
  }

  test('is the text that JSON.stringify makes of it, whatever its fields', async () => {
    await fc.assert(
      fc.asyncProperty(newVisits, async (added) => {
        const one = await table.add(added);
        expect((await readModel().findById(one.id))?.text).toBe(textOf(one));
        const page = await readModel().findPage({ limit: 1, kind: one.kind, afterId: one.id - 1n });
        expect(page.text).toBe(`[${textOf(one)}]`);
      }),
      { numRuns: 60 },
    );
  });

  test('is found as it was added, whatever its fields', async () => {
    await fc.assert(
      fc.asyncProperty(newVisits, async (added) => {
        const { id } = await table.add(added);
        const { petId, kind, at, urgent, findings, minutes, note, labels } = added;
        const expected = new Visit(id, petId, kind, at, urgent, findings, minutes, note, labels);
        const found = await table.findById(id);
        expect(found).toBeInstanceOf(Visit);
        expect(found).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });

  test('has the members of a jsonb column in the order of PostgreSQL, without blanks', async () => {
    const added = new NewVisit(7n, CHECK, new Date(0), true, [], 5, 'a  b', {
      'long one': ' : , ',
      b: [1, { c: '"  ' }],
    });
    const { id } = await table.add(added);
    expect((await readModel().findById(id))?.text).toContain(
      String.raw`"labels":{"b":[1,{"c":"\"  "}],"long one":" : , "}}`,
    );
  });

  test('is saved with all its fields, and others are left as they are', async () => {
    const other = await table.add(visit());
    const { id } = await table.add(visit());
    const saved = new Visit(id, 9n, BIG_ONE, new Date(5), true, ['x'], -1, 'note', { a: 1 });
    expect([await table.save(saved), await table.findById(id), await table.findById(other.id)]).toEqual([
      true,
      saved,
      other,
    ]);
  });

  test('that is removed is in no later read, and can be removed once', async () => {
    const [{ id }, next] = [await table.add(visit(BIG_ONE)), await table.add(visit(BIG_ONE))];
    const query = { limit: 5, kind: BIG_ONE, afterId: id - 1n };
    expect(idsOf((await readModel().findPage(query)).text)).toEqual([id, next.id]);
    expect([await table.remove(id), await table.remove(id)]).toEqual([true, false]);
    expect([await table.findById(id), await readModel().findById(id)]).toEqual([undefined, undefined]);
    expect(idsOf((await readModel().findPage(query)).text)).toEqual([next.id]);
    expect(idsOf((await readModel().findPage({ ...query, afterId: id })).text)).toEqual([next.id]);
  });

  test('that is removed in a unit of work which fails is still there', async () => {
    const { id } = await table.add(visit());
    const failing = units.run(async () => {
      await table.remove(id);
      throw new Error('Not this one');
    });
    await expect(failing).rejects.toThrow('Not this one');
    expect((await table.findById(id))?.id).toBe(id);
  });

  test('that was undone is shown by no page that was read meanwhile', async () => {
    const { id: afterId } = await table.add(visit());
    const query = { limit: 5, afterId };
    const before = await readModel().findPage(query);
    const failing = units.run(async () => {
      await table.add(visit());
      expect(idsOf((await readModel().findPage(query)).text)).toHaveLength(1);
      throw new Error('Not this one');
    });
    await expect(failing).rejects.toThrow('Not this one');
    expect([before.text, (await readModel().findPage(query)).text]).toEqual(['[]', '[]']);
  });
});

describe('work under a key', () => {
  let opened: Awaited<ReturnType<typeof open>>;
  let idempotency: Idempotency;

  beforeAll(async () => {
    opened = await open();
    idempotency = opened.service.get(Idempotency, { strict: false });
  });

  afterAll(async () => {
    await opened.close();
  });

  const freshKey = () => ({ holder: 'shop', key: crypto.randomUUID() });

  test('is answered again as it was the first time, whatever became of what it made', async () => {
    const key = freshKey();
    const work = async () => {
      const added = await opened.table.add(visit());
      return { id: added.id, text: textOf(added) };
    };
    const first = await idempotency.once(key, 'visit', work);
    await opened.table.save(new Visit(first.id, 9n, BIG_ONE, new Date(5), true, []));
    expect(await idempotency.once(key, 'visit', work)).toEqual({ ...first, replayed: true });
  });

  test('that throws is forgotten with everything it did, and may be tried again', async () => {
    const key = freshKey();
    let added: Visit | undefined;
    const failing = idempotency.once(key, 'visit', async () => {
      added = await opened.table.add(visit());
      throw new Error('Not this one');
    });
    await expect(failing).rejects.toThrow('Not this one');
    expect(await opened.table.findById(added!.id)).toBeUndefined();
    const again = await idempotency.once(key, 'visit', () => Promise.resolve({ id: 5n, text: '{}' }));
    expect(again).toEqual({ id: 5n, text: '{}', replayed: false });
  });

  test('is undone with the unit of work that it belongs to, and so is its key', async () => {
    const key = freshKey();
    const units = opened.service.get(UnitOfWork, { strict: false });
    const outer = units.run(async () => {
      await idempotency.once(key, 'visit', () => Promise.resolve({ id: 5n, text: '{}' }));
      throw new Error('Not all of it');
    });
    await expect(outer).rejects.toThrow('Not all of it');
    const again = await idempotency.once(key, 'visit', () => Promise.resolve({ id: 6n, text: '{}' }));
    expect(again.replayed).toBe(false);
  });
});
describe('two instances with a declared table', () => {
  const services = useOnDatabase(createMigratedDatabase, 2, openVisits);
  const [first, second] = [services[0]!, services[1]!];

  test('let ids become visible in ascending order, in units of work too, so that no walk misses a row', async () => {
    const units = [first, second].map((service) => service.get(UnitOfWork, { strict: false }));
    const reader = second.get(VisitReadModel, { strict: false });
    const visited = idsOf((await reader.findPage({ limit: 1_000 })).text);
    const begun = visited.length;
    const progress = { done: false };
    const added = Promise.all(
      [first, second, first, second].map(async (service, index) => {
        const ids: bigint[] = [];
        for (let count = 0; count < 20; count++) {
          const add = async () => (await tableOf(service).add(visit())).id;
          ids.push(await (count % 2 === 0 ? add() : units[index % 2]!.run(add)));
        }
        return ids;
      }),
    ).finally(() => (progress.done = true));

    for (let last = false; !last;) {
      last = progress.done;
      const page = idsOf((await reader.findPage({ limit: 1_000, afterId: visited.at(-1) })).text);
      visited.push(...page);
    }

    expect(visited.slice(begun)).toEqual((await added).flat().toSorted((a, b) => Number(a - b)));
  });

  test('do both of what waits for the other: work under a key that adds, and an addition under that key', async () => {
    const key = { holder: 'shop', key: 'circle' };
    const begun = Promise.withResolvers<undefined>();
    const work = first.get(Idempotency, { strict: false }).once(key, 'work', async () => {
      begun.resolve(undefined);
      await delay(100);
      return { id: (await tableOf(first).add(visit())).id, text: '{}' };
    });
    await begun.promise;
    const addition = tableOf(second).addOnce(visit(), key, 'addition');
    const [done, refused] = await Promise.allSettled([work, addition]);
    expect([done.status, refused]).toEqual([
      'fulfilled',
      { status: 'rejected', reason: new IdempotencyKeyReusedError() },
    ]);
  });

  test('run work under one key once', async () => {
    const key = { holder: 'shop', key: 'both' };
    const outcomes = await Promise.all(
      [first, second, first, second, first, second].map((service, index) =>
        service.get(Idempotency, { strict: false }).once(key, 'visit', async () => {
          await delay(20);
          return { id: BigInt(index + 1), text: `${index}` };
        }),
      ),
    );
    expect([
      new Set(outcomes.map(({ text }) => text)).size,
      outcomes.filter(({ replayed }) => !replayed).length,
    ]).toEqual([1, 1]);
  });
});

function tableOf(service: Service): VisitTable {
  return service.get(Visits, { strict: false }).table;
}
