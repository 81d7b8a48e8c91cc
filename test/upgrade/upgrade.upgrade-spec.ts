import { Agent } from 'node:http';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { migrationFiles } from '../../libs/persistence/src/migrator/migration-files.js';
import { BuiltProgram } from '../support/built-server.js';
import { createServerDatabase, useDatabase, type ServerDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { describeUnless } from '../support/describe-unless.js';
import { Haproxy, WITHOUT_HAPROXY } from '../support/haproxy.js';
import { nextPage } from '../support/pages.js';
import { printFigures } from '../support/figures.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { withClient } from '../support/sql.js';
import { exchange, type Received, type Sent } from './exchange.js';
import { MixedLoad, type FollowedPage } from './mixed-load.js';
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
      return run.answered;
    }

    async function makeKey(database: ServerDatabase, program: Program, owner: string): Promise<string> {
      const answer = await command(database, program, 'create', '--name', owner, '--json');
      return (JSON.parse(answer) as { key: string }).key;
    }

    async function start({ environment }: ServerDatabase, program: Program, port: number): Promise<BuiltProgram> {
      const server = new BuiltProgram(program, {
        NODE_ENV: 'production',
        PORT: String(port),
        BOOTSTRAP_API_KEY: TEST_API_KEY,
        SHUTDOWN_DELAY_SECONDS: '2',
        ...environment,
      });
      programs.push(server);
      const url = await server.listening();
      while ((await fetch(`${url}/health/ready`)).status !== 200) await delay(50);
      return server;
    }

    async function killPrograms(): Promise<void> {
      await Promise.all(programs.splice(0).map((program) => program.kill('SIGKILL')));
    }

    /** The migrations that this version adds. */
    function broughtMigrations(): string[] {
      const names = (libraries?: string) => migrationFiles([], libraries).map((path) => basename(path, '.ts'));
      const known = names(past.libraries);
      return names().filter((migration) => !known.includes(migration));
    }

    describeWithHaproxy('behind haproxy', () => {
      const database = usePastDatabase();
      let haproxy: Haproxy | undefined;

      afterEach(async () => {
        haproxy?.stop();
        await killPrograms();
      });

      test(`fails no request of ${CLIENTS} clients, forwards and back again, and loses and doubles no pet`, async () => {
        const places = [await freePort(), await freePort(), await freePort()];
        const [old, current] = [past.program('main'), 'main'] as const;
        let [first, second] = [await start(database, old, places[0]!), await start(database, old, places[1]!)];
        // Indexes of places. The next instance takes the free place.
        let [firstPlace, secondPlace, free] = [0, 1, 2];
        const balancer = await Haproxy.start(places);
        haproxy = balancer;
        const codes: unknown[] = [];
        const states = (...up: number[]) => places.map((_port, place) => (up.includes(place) ? 'UP' : 'DOWN'));

        /** Replaces both serving instances by instances of the program, one after the other. */
        const roll = async (program: typeof old | typeof current) => {
          for (let instance = 0; instance < 2; instance++) {
            const next = await start(database, program, places[free]!);
            await balancer.untilSees(['UP', 'UP', 'UP']);
            first.signal('SIGTERM');
            codes.push(await first.ended());
            [first, second] = [second, next];
            [firstPlace, secondPlace, free] = [secondPlace, free, firstPlace];
            await balancer.untilSees(states(firstPlace, secondPlace));
          }
        };

        const keys = [TEST_API_KEY, await makeKey(database, past.program('cli/keys'), 'made-before')];
        await balancer.untilSees(states(0, 1));
        const load = new MixedLoad({
          url: balancer.url,
          keys,
          clients: CLIENTS,
          followsLinks: knowsCursors,
        });
        try {
          const migrated = await command(database, 'cli/migrate');
          const brought = broughtMigrations();
          expect(migrated).toContain(brought.length === 0 ? 'Nothing to do' : `Done: ${brought.join(', ')}`);
          for (let round = 0; round < ROUNDS; round++) {
            await roll(current);
            if (round === 0) keys.push(await makeKey(database, 'cli/keys', 'made-after'));
            await roll(old);
          }
        } finally {
          await load.stop();
        }

        const { rows } = await withClient(database.url, (client) =>
          client.query<{ id: string; name: string; status: string }>('select id, name, status from pets order by id'),
        );
        const stored = new Map(rows.map((row) => [Number(row.id), row.name]));
        const lost = load.added.filter((pet) => stored.get(pet.id) !== pet.name);
        const wrongPages = load.followedPages.filter((page) => !isAsStored(page, rows));
        const { counts } = load;
        console.log(`${codes.length} instances replaced, ${load.requests} requests: ${JSON.stringify(counts)}`);
        expect(load.failures.slice(0, 10)).toEqual([]);
        expect({ lost, stored: stored.size, wrongPages }).toEqual({
          lost: [],
          stored: load.added.length,
          wrongPages: [],
        });
        expect(codes).toEqual(codes.map(() => 0));
        const rare = Object.entries(counts).filter(
          ([kind, count]) => count < 100 && (knowsCursors || kind !== 'followed'),
        );
        expect(rare).toEqual([]);
        printFigures(`An upgrade from ${name} and the way back fail no request, and lose and double no pet`, {
          commitBefore: commit.slice(0, 7),
          migrations: broughtMigrations().length,
          instancesReplaced: codes.length,
          requests: load.requests,
          ...counts,
          failed: load.failures.length,
          lost: lost.length,
          doubled: stored.size - load.added.length,
          wrongPages: wrongPages.length,
        });
      }, 600_000);
    });

    describe.each([
      ['the version before', 'this one'],
      ['this one', 'the version before'],
    ])('what %s gave out, used on %s', (from) => {
      const database = usePastDatabase();
      let agent: Agent;
      let send: (to: 'giver' | 'user', path: string, sent?: Partial<Sent>) => Promise<Received>;
      let keysOfGiver: Program;

      beforeAll(async () => {
        await command(database, 'cli/migrate');
        agent = new Agent({ keepAlive: true });
        const [giverPort, userPort] = [await freePort(), await freePort()];
        const [giver, user]: Program[] =
          from === 'this one' ? ['main', past.program('main')] : [past.program('main'), 'main'];
        keysOfGiver = from === 'this one' ? 'cli/keys' : past.program('cli/keys');
        await Promise.all([start(database, giver!, giverPort), start(database, user!, userPort)]);
        send = (to, path, sent) => {
          const port = to === 'giver' ? giverPort : userPort;
          return exchange(agent, `http://127.0.0.1:${port}${path}`, { key: TEST_API_KEY, ...sent });
        };
      }, 60_000);

      afterAll(async () => {
        agent.destroy();
        await killPrograms();
      });

      const REX = '{"name":"Rex","categoryId":7,"status":"sold"}';
      const add = (to: 'giver' | 'user', sent: Partial<Sent> = {}) =>
        send(to, '/v1/pets', { method: 'POST', body: REX, ...sent });

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

/** Whether a page showed the pets that are stored behind the pet of its link. The page was full, so it never changed. */
function isAsStored({ status, afterId, ids }: FollowedPage, rows: readonly { id: string; status: string }[]): boolean {
  const expected: number[] = [];
  for (let at = firstBehind(rows, afterId); expected.length < ids.length && at < rows.length; at++) {
    const row = rows[at]!;
    if (status === undefined || row.status === status) expected.push(Number(row.id));
  }
  return expected.join() === ids.join();
}

function firstBehind(rows: readonly { id: string }[], id: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (Number(rows[middle]!.id) > id) high = middle;
    else low = middle + 1;
  }
  return low;
}
