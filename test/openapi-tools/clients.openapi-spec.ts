import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  buildOnce,
  BuiltProgram,
  createMigratedDatabase,
  TEST_API_KEY,
  useDatabase,
  withClient,
} from '@animal-store/testing';
import { GeneratedClients, GENERATORS } from './generated-clients.js';
import { OTHER_LANGUAGES, reasonToSkipClient, removeClient, reportOf } from './other-languages.js';

/** Two ids that JavaScript cannot tell apart as numbers. */
const EVEN = '9007199254740992';
const ODD = '9007199254740993';
const INT64_MAX = '9223372036854775807';

const database = useDatabase(createMigratedDatabase);
let clients: GeneratedClients;
let service: BuiltProgram;
let settings: Record<string, string>;
/** Stands in for a later version of the service. */
let later: { readonly server: Server; readonly url: string };

const LATER = { id: 1, name: 'Rex', categoryId: 7, status: 'sold', colour: 'red' };

async function startLater(): Promise<typeof later> {
  const server = createServer(({ method, url = '' }, response) => {
    const [status, body] = url.includes('limit=0')
      ? [418, { code: 'unheard_of', message: 'What this version does not know', status: 418, hint: 'new' }]
      : [method === 'POST' ? 201 : 200, url.includes('?') ? [LATER] : LATER];
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  await buildOnce();
  await withClient(database.url, (sql) =>
    sql.query(`insert into pets (name, category_id, status) select 'Old', 7, 'available' from generate_series(1, 3)`),
  );
  later = await startLater();
  clients = await GeneratedClients.make();
  service = new BuiltProgram('main', { ...database.environment, BOOTSTRAP_API_KEY: TEST_API_KEY });
  const baseUrl = `${await service.listening()}/v1`;
  settings = { BASE_URL: baseUrl, API_KEY: TEST_API_KEY, PET_ID: ODD, CATEGORY_ID: INT64_MAX };
});

afterAll(async () => {
  later.server.close();
  await service.kill('SIGTERM');
  clients.remove();
});

/** The ids of all pets in ascending order, as a walk from page to page must find them. */
async function idsOfPets(): Promise<number[]> {
  const { rows } = await withClient(database.url, (sql) =>
    sql.query<{ id: string }>('select id::text from pets order by pets.id'),
  );
  return rows.map(({ id }) => Number(id));
}

describe.each(GENERATORS)('the client that %s makes of the document', (generator) => {
  test('compiles under --strict, as it comes and with exact integers', () => {
    expect(clients.compilerErrors(generator)).toEqual([]);
  });

  test('creates and gets pets, follows the pages, and knows the code of an error', async () => {
    const report = await clients.report(generator, 'run', settings);
    const rex = { id: expect.any(Number) as number, name: 'Rex', categoryId: 7, status: 'sold' };
    expect(report).toEqual({
      created: rex,
      got: rex,
      listed: expect.arrayContaining([rex]) as object[],
      refused: 'invalid_request',
      walked: await idsOfPets(),
    });
  });
});

describe('a later version of the service', () => {
  test.each(GENERATORS)(
    'may send members, codes and statuses that the client of %s does not know',
    async (generator) => {
      const report = await clients.report(generator, 'run', { BASE_URL: later.url, API_KEY: 'any' });
      expect(report).toEqual({ created: LATER, got: LATER, listed: [LATER], refused: 'unheard_of', walked: [1] });
    },
  );
});

describe('the client that openapi-generator makes', () => {
  test.each(Object.keys(OTHER_LANGUAGES))(
    'for %s creates and gets pets, follows the pages, and takes a code, a member and a status that it does not know',
    async (language) => {
      const reason = reasonToSkipClient(language);
      if (reason !== undefined) {
        console.warn(`The client of openapi-generator for ${language} is not tested: ${reason}`);
        return;
      }
      const client = OTHER_LANGUAGES[language]!();
      const rex = { id: expect.any(Number) as number, name: 'Rex', categoryId: 7, status: 'sold' };
      const found = { created: rex, got: rex, listed: expect.arrayContaining([rex]) as object[] };
      const report = await reportOf(client, settings);
      expect(report).toEqual({ ...found, refused: 'invalid_request', walked: await idsOfPets() });
      const strange = { BASE_URL: later.url, API_KEY: 'any' };
      expect(await reportOf(client, strange)).toEqual({ ...found, refused: 'unheard_of', walked: [1] });
      removeClient(client);
    },
  );
});

describe('where ids are beyond 2^53', () => {
  beforeAll(async () => {
    await withClient(database.url, async (sql) => {
      await sql.query('delete from pets');
      await sql.query(`insert into pets (id, name, category_id, status)
        values (${EVEN}, 'Even', 7, 'available'), (${ODD}, 'Odd', ${INT64_MAX}, 'available')`);
      await sql.query(`select setval(pg_get_serial_sequence('pets', 'id'), ${ODD})`);
    });
  });

  test.each(GENERATORS)('the recipe for %s keeps every digit, both ways', async (generator) => {
    const report = await clients.report(generator, 'run-exact', settings);
    const stored = await withClient(database.url, (sql) =>
      sql.query<object>(
        `select id || 'n' as id, name, category_id || 'n' as "categoryId", status from pets order by pets.id`,
      ),
    );
    expect(stored.rows.slice(0, 2)).toEqual([
      { id: `${EVEN}n`, name: 'Even', categoryId: '7n', status: 'available' },
      { id: `${ODD}n`, name: 'Odd', categoryId: `${INT64_MAX}n`, status: 'available' },
    ]);
    expect(report).toEqual({
      created: stored.rows.at(-1),
      got: stored.rows[1],
      listed: stored.rows,
      refused: 'invalid_request',
    });
    expect(stored.rows.at(-1)).toMatchObject({ name: 'New', categoryId: `${INT64_MAX}n` });
  });
});
