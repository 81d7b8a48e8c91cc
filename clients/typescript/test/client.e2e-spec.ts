import { AnimalStore, ApiError, type Animal, type Page } from '@animal-store/client';
import { createMigratedDatabase, TEST_API_KEY, useApp } from '@animal-store/testing';

const INT64S = [9007199254740992n, 9007199254740993n, 9223372036854775807n, -9223372036854775808n, 7n];

describe('the client of the service', () => {
  const server = useApp(createMigratedDatabase);
  const added: Animal[] = [];
  let requests = 0;
  let store: AnimalStore;

  beforeAll(async () => {
    const counting: typeof fetch = (...sent) => {
      requests += 1;
      return fetch(...sent);
    };
    const options = { baseUrl: server.url, apiKey: TEST_API_KEY, onDeprecation: () => undefined };
    store = new AnimalStore({ ...options, fetch: counting });
    for (const categoryId of INT64S)
      added.push(await store.pets.create({ name: 'Räx', categoryId, status: 'pending' }));
    added.push(await store.pets.create({ name: 'Sold', categoryId: 8, status: 'sold' }));
  }, 120_000);

  beforeEach(() => {
    requests = 0;
  });

  test('adds animals and reads them, exact to the last digit', async () => {
    expect(added.slice(0, -1)).toEqual(
      INT64S.map((categoryId) => ({ id: expect.any(BigInt) as bigint, name: 'Räx', categoryId, status: 'pending' })),
    );
    for (const animal of added) {
      expect(await store.pets.get(animal.id)).toEqual(animal);
      expect(await store.pets.get(Number(animal.id))).toEqual(animal);
    }
  });

  test('walks a list from the first animal to the last', async () => {
    expect(await store.pets.list({ limit: 3 }).all()).toEqual(added);
    expect(requests).toBe(2);
  });

  test('gets pages, each with the cursor of the next', async () => {
    const pages: Page<Animal>[] = [];
    for await (const page of store.pets.list({ limit: 2, status: 'pending' }).pages()) pages.push(page);
    expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1]);
    expect(pages.map(({ next }) => typeof next)).toEqual(['string', 'string', 'undefined']);
    const again = await store.pets.list({ limit: 2, status: 'pending', cursor: pages[0]?.next }).page();
    expect(again).toEqual(pages[1]);
  });

  test('asks for no page before it is read', async () => {
    for await (const { id } of store.pets.list({ limit: 2 })) if (id === added[1]?.id) break;
    expect(requests).toBe(1);
  });

  test('says what the service has against an animal', async () => {
    const error = await store.pets.create({ name: ' ', categoryId: 7 }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'invalid_request',
      status: 400,
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      message: expect.stringContaining('name must') as string,
    });
  });
});
