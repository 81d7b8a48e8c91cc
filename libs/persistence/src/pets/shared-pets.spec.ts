import type { SerializedPage } from '@animal-store/kernel';
import { DatabaseStats } from '../database-stats.js';
import { PageCache } from '../page-cache.js';
import type { Row, Statements } from '../statements.js';
import { SharedPets } from './shared-pets.js';

function pet(id: bigint, name: string): string {
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":7,"status":"sold"}`;
}

const TWO_PETS = [pet(1n, 'A'), pet(2n, 'B')].join('\x1e');

/** A database that only knows a snapshot, and the text of the one page that it is asked for. */
class OnePage {
  readonly areInTransaction = false;
  snapshot: string | null = '1:1:';
  text = TWO_PETS;
  readonly sizes: unknown[] = [];
  readonly cached: unknown[] = [];

  read(_statement: unknown, values: readonly unknown[]): Promise<readonly Row[]> {
    const [, [size], , [isCached], latest] = values as [unknown, number[], unknown, boolean[], string | null];
    this.sizes.push(size);
    this.cached.push(isCached);
    const isKnown = isCached === true && latest === this.snapshot;
    return Promise.resolve([[this.snapshot, isKnown ? null : this.text]]);
  }
}

describe('pages of pets', () => {
  let database: OnePage;
  let pets: SharedPets;

  beforeEach(() => {
    database = new OnePage();
    pets = new SharedPets(database as unknown as Statements, new DatabaseStats());
  });

  test('are asked for each time, and not sent again in the same snapshot', async () => {
    const first = await pets.findPage({ limit: 2 });
    expect(await pets.findPage({ limit: 2 })).toBe(first);
    expect(database.cached).toEqual([false, true]);
  });

  test('are the same object where they are the same after something else has changed', async () => {
    const first = await pets.findPage({ limit: 2 });
    database.snapshot = '2:2:';
    expect(await pets.findPage({ limit: 2 })).toBe(first);
  });

  test('are new as soon as they have changed, also where another page was read in between', async () => {
    await pets.findPage({ limit: 2 });
    database.snapshot = '2:2:';
    await pets.findPage({ limit: 1, status: 'sold' });
    database.text = TWO_PETS.replace('"B"', '"C"');
    expect((await pets.findPage({ limit: 2 })).text).toBe(`[${database.text.replace('\x1e', ',')}]`);
  });

  test('are asked for with as many rows as before, so that they can be compared', async () => {
    await pets.findPage({ limit: 50 });
    await pets.findPage({ limit: 2 });
    expect(database.sizes).toEqual([51, 51]);
  });

  test('are not cached of a standby, which has no snapshots', async () => {
    database.snapshot = null;
    await pets.findPage({ limit: 2 });
    database.text = '';
    expect((await pets.findPage({ limit: 2 })).text).toBe('[]');
    expect(database.cached).toEqual([false, false]);
  });
});

/** Cuts pages out of these rows. */
function cutterOf(rows: readonly string[], size = 11): (limit: number) => SerializedPage {
  const cache = new PageCache();
  const kept = cache.keep('key', rows.join('\x1e'), size);
  return (limit) => cache.pageOf(kept, limit);
}

function petsNamed(count: number, name = 'Rex'): string[] {
  return Array.from({ length: count }, (_, index) => pet(BigInt(index + 1), name));
}

describe('the cache of pages', () => {
  test('forgets its rows and pages when their texts become too many', () => {
    const cache = new PageCache();
    cache.snapshot = '1:1:';
    const isCached = (key: string) => cache.find(key, 2) !== undefined;
    for (const key of ['a', 'b']) cache.keep(key, 'x'.repeat(1_000_000), 2);
    expect([isCached('a'), isCached('b')]).toEqual([true, true]);
    const rows = cache.keep('c', 'x'.repeat(1_000_000), 2);
    cache.pageOf(rows, 2);
    expect([isCached('a'), isCached('b'), isCached('c')]).toEqual([false, false, false]);
  });

  test.each([1, 2, 9, 10])('cuts a page of %d pets out of 11', (limit) => {
    const page = cutterOf(petsNamed(11))(limit);
    expect(page).toEqual({ text: `[${petsNamed(limit).join(',')}]`, nextAfterId: BigInt(limit) });
  });

  test('names no next page where there are no more rows', () => {
    expect(cutterOf(petsNamed(3))(3).nextAfterId).toBeUndefined();
    expect(cutterOf([])(3)).toEqual({ text: '[]', nextAfterId: undefined });
  });

  test('does not take a name that looks like JSON for the end of a pet', () => {
    const name = '"},{"id":99,"name":"\\"},{\\"id\\":';
    expect(cutterOf(petsNamed(3, name))(2)).toEqual({ text: `[${petsNamed(2, name).join(',')}]`, nextAfterId: 2n });
  });

  test('keeps every digit of the id after which the next page begins', () => {
    const pets = [9223372036854775806n, 9223372036854775807n].map((id) => pet(id, 'a'));
    expect(cutterOf(pets, 2)(1).nextAfterId).toBe(9223372036854775806n);
  });
});
