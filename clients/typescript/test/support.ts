import { BuiltProgram, createMigratedDatabase, TEST_API_KEY, useDatabase } from '@animal-store/testing';
import type { AnimalStore } from '@animal-store/client';

/**
 * The built service on its own PostgreSQL database, in its own process, for the tests of the surrounding `describe`: programs that
 * a test waits for can call it.
 */
export function useBuiltServer(variables: Record<string, string> = {}): { readonly url: string } {
  const database = useDatabase(() => createMigratedDatabase());
  const running = { url: '' };
  let server: BuiltProgram | undefined;
  beforeAll(async () => {
    server = new BuiltProgram('main', { BOOTSTRAP_API_KEY: TEST_API_KEY, ...database.environment, ...variables });
    running.url = await server.listening();
  }, 120_000);
  afterAll(() => server?.kill('SIGKILL'));
  return running;
}

/** The reason with which a promise is rejected. */
export function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`It succeeded with ${String(value)}`);
    },
    (error: unknown) => error,
  );
}

/** All items of a list, or all its pages. */
export async function allOf<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/** Adds pets of these categories, one after the other. */
export async function addAnimals(store: AnimalStore, ...categoryIds: (bigint | number)[]): Promise<void> {
  for (const categoryId of categoryIds) await store.pets.create({ name: `Number ${categoryId}`, categoryId });
}
