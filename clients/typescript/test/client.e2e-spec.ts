import { AnimalStore, ApiError } from '@animal-store/client';
import { TEST_API_KEY } from '@animal-store/testing';
import { failureOf, useBuiltServer } from './support.js';

const notices: string[] = [];

describe('the client of the built service', () => {
  const server = useBuiltServer();
  let store: AnimalStore;

  beforeAll(() => {
    const onDeprecation = ({ message }: { message: string }) => notices.push(message);
    store = new AnimalStore({ baseUrl: server.url, apiKey: TEST_API_KEY, onDeprecation });
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

  test('adds an animal that is available where nothing else is said', async () => {
    const status = undefined as 'sold' | undefined;
    expect(await store.pets.create({ name: 'Rex', categoryId: 7, status })).toMatchObject({ status: 'available' });
  });

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

  test('warns once of getPet, with the day of its removal', async () => {
    notices.length = 0;
    const another = new AnimalStore({
      baseUrl: `${server.url}/v1/`,
      apiKey: TEST_API_KEY,
      onDeprecation: ({ message }) => notices.push(message),
    });
    await failureOf(another.pets.get(404n));
    await failureOf(another.pets.get(404n));
    expect(notices).toEqual([
      expect.stringMatching(
        /^GET \/pets\/\{petId\} is deprecated since 2026-.*will be removed on 2030-12-05; use \/v1\/pets/,
      ),
    ]);
  });
});
