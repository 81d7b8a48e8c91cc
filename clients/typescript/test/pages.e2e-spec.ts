import { AnimalStore, type Animal, type Page } from '@animal-store/client';
import { createMigratedDatabase, TEST_API_KEY, useApp } from '@animal-store/testing';

describe('the animals of a list', () => {
  const server = useApp(createMigratedDatabase);
  let requests = 0;
  let store: AnimalStore;

  beforeAll(async () => {
    const counting: typeof fetch = (...sent) => {
      requests += 1;
      return fetch(...sent);
    };
    store = new AnimalStore({
      baseUrl: server.url,
      apiKey: TEST_API_KEY,
      fetch: counting,
      onDeprecation: () => undefined,
    });
    await addAnimals(9007199254740992n, 9007199254740993n, 3, 4, 5, 6, 9223372036854775807n);
    await store.pets.create({ name: 'Sold', categoryId: 8, status: 'sold' });
  }, 120_000);

  /** Adds pets of these categories, one after the other. */
  async function addAnimals(...categoryIds: (bigint | number)[]): Promise<void> {
    for (const categoryId of categoryIds) await store.pets.create({ name: `Number ${categoryId}`, categoryId });
  }

  beforeEach(() => {
    requests = 0;
  });

  test('are walked from the first animal to the last, exact to the last digit', async () => {
    const categories = (await store.pets.list({ limit: 3 }).all()).map(({ categoryId }) => categoryId);
    expect(categories).toEqual([9007199254740992n, 9007199254740993n, 3n, 4n, 5n, 6n, 9223372036854775807n, 8n]);
    expect(requests).toBe(3);
  });

  test('come in pages, each with the cursor of the next', async () => {
    const pages: Page<Animal>[] = [];
    for await (const page of store.pets.list({ limit: 3, status: 'available' }).pages()) pages.push(page);
    expect(pages.map(({ items }) => items.length)).toEqual([3, 3, 1]);
    expect(pages.map(({ next }) => typeof next)).toEqual(['string', 'string', 'undefined']);
    const [, second] = pages;
    const again = await store.pets.list({ limit: 3, status: 'available', cursor: pages[0]?.next }).page();
    expect(again).toEqual(second);
  });

  test('ask for no page before it is read', async () => {
    for await (const { categoryId } of store.pets.list({ limit: 2 })) if (categoryId === 9007199254740993n) break;
    expect(requests).toBe(1);
  });

  test('show animals that are added meanwhile, and none twice', async () => {
    const seen: bigint[] = [];
    for await (const { items } of store.pets.list({ limit: 3 }).pages()) {
      if (seen.length === 0) await addAnimals(100, 101);
      seen.push(...items.map(({ id }) => id));
    }
    expect([new Set(seen).size, seen]).toEqual([10, seen.toSorted((one, other) => Number(one - other))]);
  });
});
