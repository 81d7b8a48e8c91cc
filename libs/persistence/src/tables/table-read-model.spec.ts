import type { SerializedPage } from '@animal-store/kernel';
import { SqlExecutor, type Row } from '../sql/sql-executor.js';
import { READ_LIMITS } from '../batching/batching-limits.js';
import { TableSql } from './table-sql.js';
import { PageCache } from './page-cache.js';
import { TableReadModel } from './table-read-model.js';

const TWO_ROWS = ['{"id":1,"name":"A","status":"sold"}', '{"id":2,"name":"B","status":"sold"}'].join('\x1e');

interface Filter {
  readonly status?: string;
}

class Animal {
  declare readonly id: bigint;
  declare readonly status: string;
}

function column(name: string, type: string) {
  return { name, fieldNames: [name], columnTypes: [type], runtimeType: 'string', primary: name === 'id' };
}

const ROWS = new TableSql<Animal, object, Filter>(
  {
    entity: Animal,
    shown: ['id', 'status'],
    filters: ['status'],
    newestFirst: false,
    hasToJson: false,
  },
  { tableName: 'rows', props: [column('id', 'bigint'), column('status', 'text')] },
);

function readModelOf(database: SqlExecutor, limits = READ_LIMITS): TableReadModel<Filter> {
  return new TableReadModel<Filter>(ROWS, database, { statements: undefined }, limits);
}

/** A database that only knows snapshots and the text of the one page it is asked for. */
class OnePage extends SqlExecutor {
  snapshot = '1:1:';
  json = TWO_ROWS;
  readonly asked: (readonly unknown[])[] = [];

  override run(_statement: unknown, values: readonly unknown[]): Promise<readonly Row[]> {
    this.asked.push(values);
    const [, , [kept], snapshot] = values as [unknown, unknown, [boolean], string | null];
    const needsText = !kept || snapshot !== this.snapshot;
    return Promise.resolve([['1', this.snapshot, needsText ? this.json : null]]);
  }
}

/** A database that nobody writes to: every page holds the row after it. Notes which pages the asker said that it keeps. */
class UnchangedDatabase extends SqlExecutor {
  kept: readonly boolean[] = [];

  override run(_statement: unknown, [afterIds, , kept]: readonly unknown[]): Promise<readonly Row[]> {
    this.kept = kept as boolean[];
    return Promise.resolve(
      (afterIds as string[]).map((id, index) => [index + 1, 'snapshot', this.kept[index] ? null : `{"id":${id}1}`]),
    );
  }
}

/** Asks for many different pages, so many at once, and then for all of them in one statement. */
async function keptAfter(pages: number, atOnce: number): Promise<number> {
  const database = new UnchangedDatabase();
  const model = readModelOf(database, { ...READ_LIMITS, maxBatch: pages });
  const ask = (first: number, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => model.findPage({ afterId: BigInt(first + index), limit: 1 })),
    );
  for (let first = 0; first < pages; first += atOnce) await ask(first, Math.min(atOnce, pages - first));
  await ask(0, pages);
  return database.kept.filter(Boolean).length;
}

describe('TableReadModel', () => {
  test.each([1, 7, 1_000])('keeps some thousand pages at most, as when they come %i at once', async (atOnce) => {
    expect(await keptAfter(10_000, atOnce)).toBeLessThanOrEqual(8_000);
  });

  test('keeps the pages that are asked for again and again', async () => {
    expect(await keptAfter(30, 1)).toBe(30);
  });

  let database: OnePage;
  let model: TableReadModel<Filter>;

  beforeEach(() => {
    database = new OnePage();
    model = readModelOf(database);
  });

  test('asks the database for every page, and is not sent again what it keeps of the same snapshot', async () => {
    const first = await model.findPage({ limit: 2 });
    const second = await model.findPage({ limit: 2 });
    expect(database.asked.map(([, , kept]) => kept)).toEqual([[false], [true]]);
    expect(second).toBe(first);
  });

  test('gives the same object for a page that is the same after something else has changed', async () => {
    const first = await model.findPage({ limit: 2 });
    database.snapshot = '2:2:';
    expect(await model.findPage({ limit: 2 })).toBe(first);
  });

  test('gives the new page as soon as it has changed', async () => {
    await model.findPage({ limit: 2 });
    database.snapshot = '2:2:';
    database.json = TWO_ROWS.replace('"B"', '"C"');
    expect((await model.findPage({ limit: 2 })).text).toBe(`[${database.json.replace('\x1e', ',')}]`);
  });

  test('is not led astray by another snapshot that was the latest in between', async () => {
    await model.findPage({ limit: 2 });
    database.snapshot = '2:2:';
    await model.findPage({ limit: 1, status: 'sold' });
    database.json = TWO_ROWS.replace('"B"', '"C"');
    expect((await model.findPage({ limit: 2 })).text).toBe(`[${database.json.replace('\x1e', ',')}]`);
  });

  test('asks for as many rows as it did before, so that the pages can be compared', async () => {
    await model.findPage({ limit: 50 });
    await model.findPage({ limit: 2 });
    expect(database.asked.map(([, sizes]) => sizes)).toEqual([[51], [51]]);
  });

  test('keeps nothing of a standby, which has no snapshots', async () => {
    database.snapshot = null as unknown as string;
    await model.findPage({ limit: 2 });
    database.json = '';
    expect((await model.findPage({ limit: 2 })).text).toBe('[]');
    expect(database.asked.map(([, , kept]) => kept)).toEqual([[false], [false]]);
  });
});

function pet(id: bigint, name: string): string {
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":7,"status":"sold"}`;
}

/** Cuts pages out of these rows. */
function cutterOf(json: string, size: number): (limit: number) => SerializedPage {
  const cache = new PageCache();
  const rows = cache.keep('key', json, size);
  return (limit) => cache.pageOf(rows, limit);
}

function cutterOfPets(count: number, name = 'Rex'): (limit: number) => SerializedPage {
  const pets = Array.from({ length: count }, (_, index) => pet(BigInt(index + 1), name));
  return cutterOf(pets.join('\x1e'), 11);
}

describe('PageCache', () => {
  test('gives the same object for the same limit', () => {
    const page = cutterOfPets(11);
    expect(page(3)).toBe(page(3));
  });

  test('forgets its pages when their texts become too many', () => {
    const cache = new PageCache();
    cache.snapshot = '1:1:';
    const kept = (key: string) => cache.find(key, 2) !== undefined;
    for (const key of ['a', 'b']) cache.keep(key, 'x'.repeat(1_500_000), 2);
    expect([kept('a'), kept('b')]).toEqual([true, true]);
    for (const key of ['c', 'd']) cache.keep(key, 'x'.repeat(1_500_000), 2);
    expect([kept('a'), kept('b'), kept('c'), kept('d')]).toEqual([false, false, true, true]);
    cache.keep('e', 'x'.repeat(1_500_000), 2);
    expect([kept('c'), kept('d'), kept('e')]).toEqual([false, false, true]);
  });

  test.each([1, 2, 9, 10])('cuts a page of %d pets out of 11', (limit) => {
    const page = cutterOfPets(11)(limit);
    expect((JSON.parse(page.text) as { id: number }[]).map(({ id }) => id)).toEqual(
      Array.from({ length: limit }, (_, index) => index + 1),
    );
    expect(page.nextAfterId).toBe(BigInt(limit));
  });

  test('has no next page where there are no more rows', () => {
    expect(cutterOfPets(3)(3).nextAfterId).toBeUndefined();
    expect(cutterOf('', 11)(3)).toEqual({ text: '[]', nextAfterId: undefined });
  });

  test('does not take a name that looks like JSON for the end of a pet', () => {
    const name = '"},{"id":99,"name":"\\"},{\\"id\\":';
    const page = cutterOfPets(3, name)(2);
    expect(JSON.parse(page.text)).toEqual([
      { id: 1, name, categoryId: 7, status: 'sold' },
      { id: 2, name, categoryId: 7, status: 'sold' },
    ]);
  });

  test('keeps every digit of the id that the next page comes after', () => {
    const pets = [9223372036854775806n, 9223372036854775807n].map((id) => pet(id, 'a'));
    expect(cutterOf(pets.join('\x1e'), 2)(1).nextAfterId).toBe(9223372036854775806n);
  });

  test('does not take a row inside of a row for one of the page', () => {
    const rows = [1n, 2n, 3n].map((id) => `{"id":${id},"lines":[{"id":9,"a":1},{"id":8}],"then":{"id":7}}`);
    const page = cutterOf(rows.join('\x1e'), 3)(2);
    expect(page).toEqual({ text: `[${rows.slice(0, 2).join(',')}]`, nextAfterId: 2n });
  });

  test('finds the id of a row that is nothing else', () => {
    expect(cutterOf('{"id":-12}\x1e{"id":5}', 2)(1)).toEqual({ text: '[{"id":-12}]', nextAfterId: -12n });
  });
});
