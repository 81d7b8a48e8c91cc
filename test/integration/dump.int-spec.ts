import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiKey, generateApiKey, hashApiKey } from '@animal-store/auth';
import { databaseProgram } from '../../apps/api/src/cli/db-program.js';
import { reasonOf } from '../../apps/api/src/cli/program.js';
import { readEnvironment } from '../../apps/api/src/settings/environment.js';
import { administerApiKeys } from '../../apps/api/src/cli/administer-api-keys.js';
import { EmbeddedDatabase } from '../../libs/persistence/src/embedded/embedded-database.js';
import { FolderLock } from '../../libs/persistence/src/embedded/folder-lock.js';
import { embeddedRows, serverRows } from '../support/database-rows.js';
import { createEmbeddedDatabase, createServerDatabase, type TestDatabase } from '../support/databases.js';
import { addKeyed } from '../support/keyed-additions.js';
import '../support/cross-realm-errors.js';
import { nextPage } from '../support/page-links.js';
import { startApp, type RunningApp } from '../support/running-app.js';
import { withClient } from '../support/database-client.js';

const HIGHEST_ID = 9_007_199_254_740_993n;

/** Names that a careless dump loses, or runs as SQL. */
const NAMES = [
  `O'Hara "🐈" \\N \\`,
  'two\n\\restrict lines',
  'before\n\\restrict',
  `,1,$$sold$$); drop table public.pets; --`,
  '\u2028\\unrestrict x\r\n--\n',
];

const SENT = '{"name":"once","categoryId":9223372036854775807}';

let folder: string;
let running: RunningApp | undefined;
let restored: TestDatabase | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
});

afterEach(async () => {
  await running?.close();
  running = undefined;
  await restored?.remove();
  restored = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the service; it ends with the test. */
async function start(database: TestDatabase): Promise<RunningApp> {
  running = await startApp(database);
  return running;
}

/** The exit code of the command with these arguments, and all its messages. */
async function db(variables: Readonly<Record<string, string>>, ...words: string[]) {
  const told: string[] = [];
  const keep = (text: string) => told.push(text);
  const program = databaseProgram({
    environment: () => readEnvironment({ NODE_ENV: 'test', ...variables }),
    tell: keep,
  });
  for (const command of program.commands) command.configureOutput({ writeOut: keep, writeErr: keep });
  try {
    await program.parseAsync(words, { from: 'user' });
    return { code: 0, told: told.join('\n') };
  } catch (error) {
    return { code: 1, told: [...told, reasonOf(error)].join('\n') };
  }
}

describe('a dump of the embedded database', () => {
  const key = generateApiKey('test');
  const revoked = generateApiKey('test');
  let source: ReturnType<typeof createEmbeddedDatabase>;
  let file: string;
  let dump: string;
  let next: string;
  let created: string;
  let rows: Awaited<ReturnType<typeof embeddedRows>>;

  beforeAll(async () => {
    source = createEmbeddedDatabase();
    // The first start creates the tables.
    await (await startApp(source)).close();
    await administerApiKeys(readEnvironment({ NODE_ENV: 'test', ...source.environment }), async (keys) => {
      for (const [name, text] of Object.entries({ key, revoked }))
        await keys.create(new ApiKey(name, hashApiKey(text)), 'ann');
      await keys.revoke({ name: 'revoked' }, 'ann');
    });
    const database = await EmbeddedDatabase.open(source.folder);
    await database.pglite.exec(`select setval('pets_id_seq', ${HIGHEST_ID - BigInt(NAMES.length) - 1n}, true)`);
    await database.onApplicationShutdown();

    const app = await startApp(source);
    for (const name of NAMES) await app.createPet({ name, categoryId: 1 });
    created = await (await addKeyed(app.url, key, 'once', SENT)).text();
    next = nextPage(await app.request('/v1/pets?limit=2'))!;
    await app.close();

    file = join(source.folder, 'dump.sql');
    const { code, told } = await db(source.environment, 'dump', '--output', file);
    if (code !== 0) throw new Error(told);
    dump = readFileSync(file, 'utf8');
    rows = await embeddedRows(source.folder);
  }, 120_000);

  afterAll(async () => {
    await source.remove();
  });

  const targets = [
    {
      name: 'a PostgreSQL server',
      restore: async () => {
        const server = await createServerDatabase();
        // What psql does statement by statement: a text that is sent at once is parsed at once.
        await withClient(server.url, async (client) => {
          await client.query('begin; set standard_conforming_strings = off');
          await client.query(`${dump}; commit`);
        });
        return { ...server, rows: () => serverRows(server.url) };
      },
    },
    {
      name: 'a new embedded database',
      restore: async () => {
        const data = join(folder, 'restored');
        expect(await db({ DATA_DIR: data }, 'restore', file)).toMatchObject({ code: 0 });
        expect(readdirSync(data).sort()).toEqual(['lock', 'postgres']);
        expect([data, join(data, 'postgres')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
        return {
          environment: { DATA_DIR: data },
          rows: () => embeddedRows(data),
          remove: () => Promise.resolve(),
        };
      },
    },
  ];

  test.each(targets)(
    'is restored into $name, and everything that clients hold works there',
    async ({ restore }) => {
      const target = await restore();
      restored = target;
      expect(rows['public.pets']).toHaveLength(NAMES.length + 1);
      expect(await target.rows()).toEqual(rows);

      const app = await start(target);
      expect((await app.request('/health/ready')).status).toBe(200);
      expect((await app.request('/v1/pets', { key })).status).toBe(200);
      expect((await app.request('/v1/pets', { key: revoked })).status).toBe(401);
      const page = (await (await app.request(next)).json()) as { name: string }[];
      expect(page.map(({ name }) => name)).toEqual(NAMES.slice(2, 4));
      const added = await app.createPet({ name: 'new', categoryId: 1 });
      expect(added.headers.get('location')).toBe(`/v1/pets/${HIGHEST_ID + 1n}`);
      const repeated = await addKeyed(app.url, key, 'once', SENT);
      expect(repeated.headers.get('idempotent-replayed')).toBe('true');
      expect(await repeated.text()).toBe(created);
      expect(created).toContain(`"id":${HIGHEST_ID},`);
    },
    60_000,
  );

  test('is written for its owner alone', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(source.folder).filter((name) => name.startsWith('dump'))).toEqual(['dump.sql']);
  });

  test('that is cut off is refused, and leaves no database', async () => {
    const part = join(folder, 'dump.sql');
    writeFileSync(part, dump.slice(0, -100));
    const { code, told } = await db({ DATA_DIR: join(folder, 'data') }, 'restore', part);
    expect({ code, told }).toEqual({ code: 1, told: 'It is not a whole dump: its end is missing.' });
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  test('with a statement that fails leaves no database', async () => {
    const faulty = join(folder, 'dump.sql');
    writeFileSync(faulty, `insert into nowhere values (1);\n${dump}`);
    const { code, told } = await db({ DATA_DIR: join(folder, 'data') }, 'restore', faulty);
    expect({ code, told }).toEqual({
      code: 1,
      told: expect.stringContaining(
        'Nothing was restored, because the SQL of the dump failed: relation "nowhere"',
      ) as string,
    });
    expect(readdirSync(join(folder, 'data'))).toEqual(['lock']);
  }, 60_000);

  test('is refused while a service has the database', async () => {
    const lock = FolderLock.acquire(source.folder);
    const { code, told } = await db(source.environment, 'dump', '--output', join(folder, 'second.sql'));
    lock.release();
    expect({ code, told }).toEqual({
      code: 69,
      told: expect.stringContaining('is in use by another process') as string,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is not restored over a database', async () => {
    const { code, told } = await db(source.environment, 'restore', file);
    expect({ code, told }).toEqual({ code: 1, told: expect.stringContaining('holds a database. Move the') as string });
    expect(await embeddedRows(source.folder)).toEqual(rows);
  });
});

describe('the commands of the embedded database', () => {
  test.each([
    ['no file to write', 64, {}, ['dump'], "required option '-o, --output <file>'"],
    ['no file to read', 64, {}, ['restore'], "missing required argument 'file'"],
    ['a server to dump', 78, { DATABASE_URL: 'postgresql://h/d' }, ['dump', '-o', 'FOLDER/x'], 'use pg_dump'],
    ['a server to restore', 78, { DATABASE_URL: 'postgresql://h/d' }, ['restore', 'FOLDER/kept'], 'use psql'],
    ['no database', 1, { DATA_DIR: 'none' }, ['dump', '-o', 'FOLDER/x'], 'There is no embedded database in the folder'],
    ['a file that exists', 1, {}, ['dump', '-o', 'FOLDER/kept'], 'already exists. Choose another file.'],
    ['a file that is missing', 1, {}, ['restore', 'FOLDER/none'], 'no such file'],
  ] as const)('refuse %s with exit code %i, and change nothing', async (_what, expected, variables, words, reason) => {
    writeFileSync(join(folder, 'kept'), 'kept');
    const there = { DATA_DIR: 'data', ...variables };
    const { code, told } = await db(
      { ...there, DATA_DIR: join(folder, there.DATA_DIR) },
      ...words.map((word) => word.replace('FOLDER', folder)),
    );
    expect({ code, told }).toEqual({ code: expected, told: expect.stringContaining(reason) as string });
    expect(readdirSync(folder)).toEqual(['kept']);
    expect(readFileSync(join(folder, 'kept'), 'utf8')).toBe('kept');
  });
});
