import { BuiltProgram } from '../support/built-server.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { clientOf, TEST_API_KEY, type Client } from '../support/running-app.js';
import { withClient } from '../support/sql.js';
import { changedPages, walk } from '../support/walk.js';
import { printFigures } from '../support/figures.js';

const WRITERS = 8;
const PETS_EACH = 250;
const WALKERS = 3;

describe('clients that walk the pages of two built instances while both add', () => {
  const database = useDatabase(createMigratedDatabase);
  let instances: readonly BuiltProgram[] = [];
  let clients: readonly Client[];

  beforeAll(async () => {
    const variables = { NODE_ENV: 'production', BOOTSTRAP_API_KEY: TEST_API_KEY, LOG_LEVEL: 'info' };
    instances = [1, 2].map(() => new BuiltProgram('main', { ...variables, ...database.environment }));
    clients = (await Promise.all(instances.map((instance) => instance.listening()))).map(clientOf);
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.kill('SIGKILL')));
  });

  test('see every pet once, in order, and every full page again as it was', async () => {
    const writers = clients.flatMap((client) =>
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let n = 0; n < PETS_EACH; n++) {
          const { status } = await client.createPet({ name: `writer ${writer}`, categoryId: n });
          if (status !== 201) throw new Error(`${status}`);
        }
      }),
    );
    const adding = Promise.all(writers);
    const walks = await Promise.all(
      Array.from({ length: WALKERS }, (_, index) => walk(clients, [1, 7, 100][index]!, adding)),
    );
    const stored = await withClient(database.url, (client) =>
      client.query<{ ids: number[] }>('select array_agg(id::integer order by id) as ids from pets'),
    );
    const all = stored.rows[0]!.ids;
    expect(all).toHaveLength(clients.length * WRITERS * PETS_EACH);
    for (const seen of walks) {
      expect(seen.ids).toEqual(all);
      expect(await changedPages(seen, clients[0]!)).toEqual([]);
    }
    printFigures('Who walks the pages sees every pet once and in order, and a full page never changes', {
      pets: all.length,
      'missed or seen twice': 0,
      'full pages that changed': 0,
    });
  }, 300_000);
});
