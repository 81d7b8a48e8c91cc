import { AnimalStore, ApiError } from '@animal-store/client';
import { TEST_API_KEY } from '@animal-store/testing';
import { FaultyProxy } from './faulty-proxy.js';
import { addAnimals, allOf, failureOf, useBuiltServer } from './support.js';

describe('lists of the client', () => {
  const server = useBuiltServer();
  let proxy: FaultyProxy;
  let store: AnimalStore;

  beforeAll(async () => {
    proxy = await FaultyProxy.open(server.url);
    store = new AnimalStore({ baseUrl: proxy.url, apiKey: TEST_API_KEY });
    await addAnimals(store, 9007199254740992n, 9007199254740993n, 3, 4, 5, 6, 9223372036854775807n);
    await store.pets.create({ name: 'Sold', categoryId: 8, status: 'sold' });
  }, 120_000);

  beforeEach(() => {
    proxy.requests.length = 0;
  });

  afterAll(() => {
    proxy.close();
  });

  test('are walked from the first animal to the last, exact to the last digit', async () => {
    const categories = (await allOf(store.pets.list({ limit: 3 }))).map(({ categoryId }) => categoryId);
    expect(categories).toEqual([9007199254740992n, 9007199254740993n, 3n, 4n, 5n, 6n, 9223372036854775807n, 8n]);
    expect(proxy.requests).toHaveLength(3);
  });

  test('come in pages, each with the cursor of the next', async () => {
    const pages = await allOf(store.pets.list({ limit: 3, status: 'available' }).pages());
    expect(pages.map(({ items }) => items.length)).toEqual([3, 3, 1]);
    expect(pages.map(({ next }) => typeof next)).toEqual(['string', 'string', 'undefined']);
    const [, second] = pages;
    const again = await store.pets.list({ limit: 3, status: 'available', cursor: pages[0]?.next }).page();
    expect(again).toEqual(second);
  });

  test('ask for no page before it is read', async () => {
    for await (const { categoryId } of store.pets.list({ limit: 2 })) if (categoryId === 9007199254740993n) break;
    expect(proxy.requests).toHaveLength(1);
  });

  test('show animals that are added meanwhile, and none twice', async () => {
    const seen: bigint[] = [];
    for await (const { items } of store.pets.list({ limit: 3 }).pages()) {
      if (seen.length === 0) await addAnimals(store, 100, 101);
      seen.push(...items.map(({ id }) => id));
    }
    expect([new Set(seen).size, seen]).toEqual([10, seen.toSorted((one, other) => Number(one - other))]);
  });

  test('fail with a typed error where the key is wrong', async () => {
    const stranger = new AnimalStore({ baseUrl: server.url, apiKey: 'a-key-of-nobody-at-all' });
    const error = await failureOf(allOf(stranger.pets.list()));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'unauthorized', status: 401, requestId: expect.any(String) as string });
  });

  test('show nothing of a page that is lost in the middle of a walk', async () => {
    const seen: bigint[] = [];
    const walk = async () => {
      for await (const { categoryId } of store.pets.list({ limit: 3, retries: 0 })) {
        if (seen.length === 0) proxy.faults = ['cut'];
        seen.push(categoryId);
      }
    };
    expect(await failureOf(walk())).toMatchObject({ name: 'UnreadableResponseError', status: 200 });
    expect(seen).toEqual([9007199254740992n, 9007199254740993n, 3n]);
  });

  test('stay at their address behind a proxy that takes a prefix away', async () => {
    const shop = await FaultyProxy.open(server.url, '/shop');
    const behind = new AnimalStore({ baseUrl: `${shop.url}/v1`, apiKey: TEST_API_KEY });
    const animals = await allOf(behind.pets.list({ limit: 3 }));
    expect(animals).toHaveLength((await allOf(store.pets.list())).length);
    shop.close();
  });
});
