import { Agent } from 'node:http';
import { basename } from 'node:path';
import { migrationFiles } from '../../libs/persistence/src/migrator/migration-files.js';
import { BuiltProgram } from '../support/built-program.js';
import { createServerDatabase, useDatabase, type ServerDatabase } from '../support/databases.js';
import { describeUnless } from '../support/describe-unless.js';
import { sendRequest, type Received } from '../support/send-request.js';
import { printFigures } from '../support/print-figures.js';
import { Fleet, untilReady } from '../support/fleet.js';
import { WITHOUT_HAPROXY } from '../support/haproxy.js';
import { Ledger, readStoredPets } from '../support/ledger.js';
import { nextPage } from '../support/page-links.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { WatchfulClients, worstOf } from '../support/watchful-clients.js';
import { isKnown, PastVersion } from './past-version.js';
import { readVersionBefore } from './version-before.js';

const CLIENTS = 64;
const ROUNDS = 2;

type Program = ConstructorParameters<typeof BuiltProgram>[0];

const released = readVersionBefore();

/** The versions from which the tests upgrade. */
const PASTS = [
  { name: `version ${released.version}`, commit: released.commit, knowsCursors: true },
  {
    // A commit from before 1.0.0: the last commit that lacks a migration. Its cursors have the first format (ADR 0005).
    name: 'the commit before the migration idempotent_outcomes',
    commit: '30fcf92b5152b02248066f147a13f2cc6cab00f4',
    knowsCursors: false,
  },
];

const describeWithHaproxy = describeUnless(WITHOUT_HAPROXY && `Upgrades under load are not tested: ${WITHOUT_HAPROXY}`);

for (const { name, commit, knowsCursors } of PASTS) {
  const found = await isKnown(commit);
  const describeWithHistory = describeUnless(
    found ? undefined : `The upgrade from ${name} is not tested, as its commit is missing: git fetch --unshallow`,
  );

  describeWithHistory(`an upgrade from ${name}`, () => {
    let past: PastVersion;
    const programs: BuiltProgram[] = [];

    beforeAll(async () => {
      past = await PastVersion.build(commit);
    }, 300_000);

    afterAll(() => {
      past.remove();
    });

    /** An empty database with the schema of the previous version. */
    function usePastDatabase(): ServerDatabase {
      const database = useDatabase(createServerDatabase);
      beforeAll(() => command(database, past.program('cli/migrate')));
      return database;
    }

    /** @returns what the program printed on standard output */
    async function command({ environment }: ServerDatabase, program: Program, ...words: string[]): Promise<string> {
      const run = new BuiltProgram(program, { NODE_ENV: 'production', ...environment }, words);
      const code = await run.ended();
      if (code !== 0) throw new Error(`It ended with ${code}: ${run.printed}`);
      return run.standardOutput;
    }

    async function makeKey(database: ServerDatabase, program: Program, owner: string): Promise<string> {
      const answer = await command(database, program, 'create', '--name', owner, '--json');
      return (JSON.parse(answer) as { key: string }).key;
    }

    async function start({ environment }: ServerDatabase, program: Program): Promise<string> {
      const server = new BuiltProgram(program, {
        NODE_ENV: 'production',
        BOOTSTRAP_API_KEY: TEST_API_KEY,
        ...environment,
      });
      programs.push(server);
      return await untilReady(server);
    }

    /** The migrations that this version adds. */
    function broughtMigrations(): string[] {
      const names = (libraries?: string) => migrationFiles([], libraries).map((path) => basename(path, '.ts'));
      const known = names(past.libraries);
      return names().filter((migration) => !known.includes(migration));
    }

    describeWithHaproxy('behind haproxy', () => {
      const database = usePastDatabase();

      test(`fails no request of ${CLIENTS} clients, forwards and back again, and loses and doubles no pet`, async () => {
        const old = past.program('main');
        const fleet = await Fleet.start({ environment: database.environment, program: old });
        const apiKeys = [TEST_API_KEY, await makeKey(database, past.program('cli/keys'), 'made-before')];
        const ledger = new Ledger();
        const target: Fleet['target'] = (choose) => fleet.target(choose);
        const options = { target, clients: CLIENTS, apiKeys, pauseMs: 0, followsLinks: knowsCursors };
        const clients = new WatchfulClients(options, ledger);
        const codes: unknown[] = [];
        try {
          const migrated = await command(database, 'cli/migrate');
          const brought = broughtMigrations();
          expect(migrated).toContain(brought.length === 0 ? 'Nothing to do' : `Done: ${brought.join(', ')}`);
          for (const program of Array.from({ length: ROUNDS }, () => ['main', old] as const).flat()) {
            // The instances in service are in the order of their places, and a deploy takes the free one.
            const before = fleet.serving.map(({ index }) => index);
            for (const place of before) {
              codes.push(
                await fleet.deploy(
                  fleet.serving.findIndex(({ index }) => index === place),
                  program,
                ),
              );
            }
          }
        } finally {
          await clients.stop();
          await fleet.stop();
        }

        const { counts } = clients;
        printFigures(`An upgrade from ${name}`, {
          migrations: broughtMigrations().length,
          'instances replaced': codes.length,
          requests: clients.successes.length,
          failed: clients.failed.length,
          acknowledged: ledger.count('acknowledged'),
          'pages compared in the end': ledger.pagesRead,
        });
        expect(worstOf(clients.failed)).toEqual([]);
        expect(ledger.compare(await readStoredPets(database.url))).toEqual([]);
        expect(codes).toEqual(codes.map(() => 0));
        // Only what failed is repeated, and nothing did.
        expect(Object.entries(counts).filter(([kind, count]) => kind !== 'repeated' && count < 100)).toEqual([]);
        expect(ledger.pagesRead > 100).toBe(knowsCursors);
      }, 600_000);
    });

    describe.each([
      ['the version before', 'this one'],
      ['this one', 'the version before'],
    ])('what %s gave out, used on %s', (from) => {
      const database = usePastDatabase();
      let agent: Agent;
      let urls: Record<'giver' | 'user', string>;
      let keysOfGiver: Program;

      beforeAll(async () => {
        await command(database, 'cli/migrate');
        agent = new Agent({ keepAlive: true });
        const [giver, user]: Program[] =
          from === 'this one' ? ['main', past.program('main')] : [past.program('main'), 'main'];
        keysOfGiver = from === 'this one' ? 'cli/keys' : past.program('cli/keys');
        urls = { giver: await start(database, giver!), user: await start(database, user!) };
      }, 60_000);

      afterAll(async () => {
        agent.destroy();
        await Promise.all(programs.splice(0).map((program) => program.kill('SIGKILL')));
      });

      interface Given {
        readonly key?: string;
        readonly idempotencyKey?: string;
        readonly body?: string;
      }

      function send(to: 'giver' | 'user', path: string, { key = TEST_API_KEY, idempotencyKey, body }: Given = {}) {
        const headers = {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        };
        const method = body === undefined ? 'GET' : 'POST';
        return sendRequest(urls[to], agent, { method, path, headers, ...(body !== undefined && { body }) });
      }

      const REX = '{"name":"Rex","categoryId":7,"status":"sold"}';
      const add = (to: 'giver' | 'user', given: Given = {}): Promise<Received> =>
        send(to, '/v1/pets', { body: REX, ...given });

      test(`is a cursor, which ${knowsCursors ? 'leads on' : 'has another format, and is refused with 400'}`, async () => {
        for (let count = 0; count < 3; count++) await add('giver');
        for (const query of ['limit=1', 'limit=1&status=sold']) {
          const next = nextPage(await send('giver', `/v1/pets?${query}`))!;
          const [expected, answer] = [await send('giver', next), await send('user', next)];
          const isRefused = answer.text.includes('start again without cursor');
          const isSame = answer.text === expected.text;
          expect({ status: answer.status, isSame, isRefused }).toEqual(
            knowsCursors
              ? { status: 200, isSame: true, isRefused: false }
              : { status: 400, isSame: false, isRefused: true },
          );
        }
      });

      test('is a pet, which is got and listed the same', async () => {
        const added = await add('giver');
        const got = await send('user', added.headers.get('location')!);
        const [listed, expected] = [
          await send('user', '/v1/pets?limit=100'),
          await send('giver', '/v1/pets?limit=100'),
        ];
        expect([got.status, got.text]).toEqual([200, added.text]);
        expect([listed.status, listed.text]).toEqual([200, expected.text]);
      });

      test('is an API key, which opens', async () => {
        const key = await makeKey(database, keysOfGiver, 'shop');
        expect((await send('user', '/v1/pets', { key })).status).toBe(200);
      });

      test('is an Idempotency-Key, under which nothing is added again', async () => {
        const key = await makeKey(database, keysOfGiver, 'bakery');
        for (const sent of [{ idempotencyKey: 'one' }, { idempotencyKey: 'one', key }]) {
          const first = await add('giver', sent);
          const again = await add('user', sent);
          expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([
            201,
            first.text,
            'true',
          ]);
        }
        const other = await add('user', { idempotencyKey: 'one', body: '{"name":"Tom","categoryId":7}' });
        expect([other.status, other.text]).toEqual([422, expect.stringContaining('idempotency_key_reused')]);
      });
    });
  });
}
