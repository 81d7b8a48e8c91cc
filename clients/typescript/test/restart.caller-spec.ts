import { setTimeout as delay } from 'node:timers/promises';
import { AnimalStore } from '@animal-store/client';
import { BuiltProgram, createMigratedDatabase, freePort, TEST_API_KEY, useDatabase } from '@animal-store/testing';

/** How long nothing listens, as in a deploy of a single instance. */
const AWAY_MS = 3_000;
const CALLERS = 20;

describe('the client, while the service is restarted', () => {
  const database = useDatabase(createMigratedDatabase);
  let port: number;

  async function start(): Promise<BuiltProgram> {
    const server = new BuiltProgram('main', {
      BOOTSTRAP_API_KEY: TEST_API_KEY,
      ...database.environment,
      PORT: String(port),
    });
    await server.listening();
    return server;
  }

  test.each(['SIGTERM', 'SIGKILL'] as const)(
    'fails no call and adds nothing twice: %s',
    async (signal) => {
      port = await freePort();
      const before = await start();
      const store = new AnimalStore({ baseUrl: `http://127.0.0.1:${port}`, apiKey: TEST_API_KEY });
      const added: bigint[] = [];
      const stop = new AbortController();
      const callers = Array.from({ length: CALLERS }, async () => {
        while (!stop.signal.aborted) {
          added.push((await store.pets.create({ name: signal, categoryId: 7 })).id);
          await store.pets.list({ limit: 1 }).page();
        }
      });
      await delay(500);
      await before.kill(signal);
      const addedBefore = added.length;
      await delay(AWAY_MS);
      const after = await start();
      await delay(500);
      stop.abort();
      const outcomes = await Promise.allSettled(callers);
      const stored = (await store.pets.list({ limit: 100 }).all()).filter(({ name }) => name === signal);
      await after.kill('SIGKILL');
      expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
      expect([addedBefore > 0, added.length > addedBefore]).toEqual([true, true]);
      expect(stored.map(({ id }) => id)).toEqual(added.toSorted((one, other) => Number(one - other)));
    },
    60_000,
  );
});
