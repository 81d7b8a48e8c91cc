import { AnimalStore, ApiError } from '@animal-store/client';
import { createMigratedDatabase, TEST_API_KEY, useApp } from '@animal-store/testing';
import { failureOf } from './support.js';

describe('the client of the service', () => {
  const server = useApp(createMigratedDatabase);
  let store: AnimalStore;

  beforeAll(() => {
    store = new AnimalStore({ baseUrl: server.url, apiKey: TEST_API_KEY, onDeprecation: () => undefined });
  });

  test.each([9007199254740992n, 9007199254740993n, 9223372036854775807n, -9223372036854775808n, 7])(
    'adds an animal of the category %s, and reads it as it is',
    async (categoryId) => {
      const added = await store.pets.create({ name: 'Räx', categoryId, status: 'pending' });
      expect(added).toEqual({ id: added.id, name: 'Räx', categoryId: BigInt(categoryId), status: 'pending' });
      expect(typeof added.id).toBe('bigint');
      expect(await store.pets.get(added.id)).toEqual(added);
      expect(await store.pets.get(Number(added.id))).toEqual(added);
    },
  );

  test('says what the service has against an animal', async () => {
    const error = await failureOf(store.pets.create({ name: ' ', categoryId: 7 }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'invalid_request',
      status: 400,
      requestId: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    });
    expect((error as ApiError).message).toContain('name must');
  });
});
