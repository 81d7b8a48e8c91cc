import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { migrateServer } from '@animal-store/persistence';
import { startLocalServer, unprivilegedUser, type LocalPostgresServer } from '../support/postgres-server.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.js';
import { untilBlocked, withClient } from '../support/sql.js';
import { expectQuiet, expectTold } from './incident.js';
import { describeWithPrometheus, Site } from './site.js';

const QUIET_SECONDS = 60;
const SMALL_DISK_MEBIBYTES = 64;

/** The name of the database of the site and of its owner. The owner is not a superuser, so the limits of roles apply to it. */
const NAME = 'test_alerts';

const trial = mountSmallDisk(1);
trial?.remove();
const describeWithDisk = trial === undefined ? describe.skip : describe;
if (trial === undefined)
  console.warn('Alerts: a full disk is not tested: a small one cannot be mounted. On Linux: run it as root');

const RUNBOOK = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');

const LOCK = 'begin; lock table pets in access exclusive mode';

/** The other alerts that fire while statements cannot be completed. */
const NOBODY_IS_SERVED = ['AnimalStoreErrorRatio', 'AnimalStoreSlow', 'AnimalStorePoolExhausted'];

describeWithPrometheus('of the database', () => {
  let server: LocalPostgresServer;
  let disk: SmallDisk | undefined;
  let site: Site;
  /** Ends everything that was started, even if a later start failed. */
  const ends: (() => unknown)[] = [];

  /** Executes a statement as the superuser in the database of the site. */
  function execute(statement: string): Promise<unknown> {
    return withClient(addressOf('postgres'), (client) => client.query(statement));
  }

  function addressOf(user: string): string {
    const url = new URL(server.url);
    url.username = user;
    url.pathname = NAME;
    return url.toString();
  }

  beforeAll(async () => {
    disk = mountSmallDisk(SMALL_DISK_MEBIBYTES);
    ends.push(() => disk?.remove());
    server = await startLocalServer();
    ends.push(() => server.stop());
    await withClient(server.url, async (client) => {
      await client.query(`create role ${NAME} login`);
      if (disk !== undefined) await client.query(`create tablespace small owner ${NAME} location '${folderOn(disk)}'`);
      await client.query(`create database ${NAME} owner ${NAME} ${disk === undefined ? '' : 'tablespace small'}`);
    });
    await migrateServer(addressOf(NAME));
    site = await Site.start({ environment: { DATABASE_URL: addressOf(NAME) } });
    ends.push(() => site.close());
  });

  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  /** Locks the pets until the returned function is called. */
  async function lockPets(): Promise<() => Promise<void>> {
    const holder = new pg.Client({ connectionString: addressOf('postgres') });
    await holder.connect();
    await holder.query(LOCK);
    return () => holder.end();
  }

  test(`no alert fires in ${QUIET_SECONDS} seconds of normal load`, () => expectQuiet(site, QUIET_SECONDS));

  test('one tells that requests fail', () =>
    expectTold(site, {
      title: 'a trigger refuses additions',
      fires: ['AnimalStoreErrorRatio'],
      cause: async () => {
        await execute(`
          create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
          create trigger refuse before insert on pets for each row execute function refuse()`);
        return async () => {
          await execute('drop function refuse cascade');
        };
      },
    }));

  test('one tells that requests are slow', () =>
    expectTold(site, {
      title: 'pets are locked for most of each second',
      fires: ['AnimalStoreSlow'],
      alongside: ['AnimalStoreRequestsWait', 'AnimalStorePoolExhausted'],
      cause: () => {
        const over = new AbortController();
        const locks = (async () => {
          while (!over.signal.aborted) {
            const unlock = await lockPets();
            await delay(800);
            await unlock();
            await delay(100);
          }
        })();
        return Promise.resolve(async () => {
          over.abort();
          await locks;
        });
      },
    }));

  test('those on timeouts and on requests that wait tell that pets are locked', () =>
    expectTold(site, {
      title: 'pets are locked',
      fires: ['AnimalStoreDatabaseTimeouts', 'AnimalStoreRequestsWait'],
      alongside: NOBODY_IS_SERVED,
      cause: async () => {
        const unlock = await lockPets();
        await untilBlocked(addressOf('postgres'));
        expect(await lastWordOfHolder()).toBe(LOCK);
        return unlock;
      },
    }));

  /** The last query of the session that blocks all others, according to the query of the runbook. */
  async function lastWordOfHolder(): Promise<string | undefined> {
    const { rows } = await withClient(addressOf('postgres'), (client) =>
      client.query<{ last_query_of_holder: string }>(queriesOf('Database timeouts')[0]!),
    );
    return rows[0]?.last_query_of_holder;
  }

  test.each(sectionsWithQueries())('the queries of the runbook run: %s', async (section) => {
    // The extension is not installed on every server.
    for (const query of queriesOf(section).filter((text) => !text.includes('from pg_stat_statements')))
      await expect(execute(query)).resolves.toBeDefined();
  });

  test('the one on timeouts tells that statements take too long', () =>
    expectTold(site, {
      title: 'a policy lets each statement sleep',
      fires: ['AnimalStoreDatabaseTimeouts'],
      alongside: [...NOBODY_IS_SERVED, 'AnimalStoreRequestsWait'],
      cause: async () => {
        await execute(`
          create policy sleep on pets using (pg_sleep(30) is not null);
          alter table pets enable row level security, force row level security`);
        return async () => {
          // A sleeping statement holds a lock until the statement ends.
          await execute(`select pg_cancel_backend(pid) from pg_stat_activity where usename = '${NAME}'`);
          await execute('alter table pets disable row level security; drop policy sleep on pets');
        };
      },
    }));

  test('one tells that the pool is exhausted', () =>
    expectTold(site, {
      title: 'an instance has a pool of one, and pets are locked',
      fires: ['AnimalStorePoolExhausted'],
      alongside: [...NOBODY_IS_SERVED, 'AnimalStoreDatabaseTimeouts', 'AnimalStoreRequestsWait', 'AnimalStoreDown'],
      cause: async () => {
        await site.restart(0, { environment: { DATABASE_POOL_SIZE: '1' } });
        const unlock = await lockPets();
        return async () => {
          await unlock();
          await site.restart(0);
        };
      },
    }));

  test('one tells that a queue fills', () =>
    expectTold(site, {
      title: 'thousands of requests wait for a lock',
      fires: ['AnimalStoreQueueFilling'],
      alongside: [
        ...NOBODY_IS_SERVED,
        'AnimalStoreDatabaseTimeouts',
        'AnimalStoreRequestsWait',
        'AnimalStoreEventLoopLag',
        'AnimalStoreKeySurge',
      ],
      cause: async () => {
        const unlock = await lockPets();
        const callers = Array.from({ length: 400 }, () => manyPages(site.urlOf(0)));
        return async () => {
          await unlock();
          for (const caller of callers) caller.destroy();
        };
      },
    }));

  test('one tells that the database is away', () =>
    expectTold(site, {
      title: 'the database is stopped',
      fires: ['AnimalStoreDatabaseNotReady', 'AnimalStoreOutage'],
      alongside: ['AnimalStoreErrorRatio'],
      cause: async () => {
        await server.halt();
        return () => server.resume();
      },
    }));

  test('one tells that PostgreSQL refuses connections', () =>
    expectTold(site, {
      title: 'the role may open three connections',
      fires: ['AnimalStoreConnectionsRefused'],
      alongside: [...NOBODY_IS_SERVED, 'AnimalStoreDatabaseNotReady', 'AnimalStoreOutage', 'AnimalStoreRequestsWait'],
      cause: async () => {
        await execute(`alter role ${NAME} connection limit 3`);
        await execute(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${NAME}'`);
        return async () => {
          await execute(`alter role ${NAME} connection limit -1`);
        };
      },
    }));

  /** Fills the disk to the last page. */
  async function fillDisk(): Promise<void> {
    for (const bytes of [1_000_000, 100_000, 7_000]) {
      const insert = `insert into filler select repeat('x', ${bytes}) from generate_series(1, 1)`;
      for (;;) {
        const outcome = await execute(insert).catch((error: unknown) => error as { code?: string });
        if ((outcome as { code?: string }).code === '53100') break;
      }
    }
  }

  async function addPet(): Promise<number> {
    const answer = await fetch(`${site.url}/v1/pets`, {
      method: 'POST',
      headers: { ...AUTHORIZED, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'x'.repeat(255), categoryId: 7 }),
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  describeWithDisk('with a small disk', () => {
    test('one tells that the disk is full, while reads work', () =>
      expectTold(site, {
        title: 'the disk of the tables is full',
        fires: ['AnimalStoreDatabaseDiskFull'],
        alongside: ['AnimalStoreErrorRatio'],
        cause: async () => {
          await execute('create table filler (bytes text); alter table filler alter bytes set storage external');
          await fillDisk();
          // The last page of the table may still have space for a few pets.
          while ((await addPet()) !== 503) await delay(20);
          expect((await fetch(`${site.url}/v1/pets`, { headers: AUTHORIZED })).status).toBe(200);
          return async () => {
            await execute('drop table filler');
            expect(await addPet()).toBe(201);
          };
        },
      }));
  });
});

/** An empty folder that belongs to the user of the PostgreSQL server. */
function folderOn(disk: SmallDisk): string {
  const folder = join(disk.folder, 'tablespace');
  mkdirSync(folder, { mode: 0o700 });
  const owner = unprivilegedUser();
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

const AUTHORIZED = { authorization: `Bearer ${TEST_API_KEY}` };

/** A caller that sends eight requests at once, and sends the next eight as soon as the eight responses have arrived. */
function manyPages(url: string): Socket {
  const { hostname, port } = new URL(url);
  const page = `GET /v1/pets?limit=1 HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${TEST_API_KEY}\r\n\r\n`;
  const socket = connect(Number(port), hostname);
  let answers = 0;
  socket.on('error', () => undefined);
  socket.on('connect', () => socket.write(page.repeat(8)));
  socket.on('data', (chunk: Buffer) => {
    answers += chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
    if (answers % 8 === 0) socket.write(page.repeat(8));
  });
  return socket;
}

/** The blocks of SQL in a section of the runbook, in order. */
function queriesOf(section: string): string[] {
  const [, text] = RUNBOOK.split(`\n## ${section}\n`);
  const [own = ''] = (text ?? '').split('\n## ');
  return [...own.matchAll(/```sql\n(?<sql>[^`]*)```/g)].map(([, sql]) => sql!);
}

/** The titles of all sections with blocks of SQL. */
function sectionsWithQueries(): string[] {
  const titles = [...RUNBOOK.matchAll(/^## (?<title>.+)$/gm)].map(([, title]) => title!);
  return titles.filter((title) => queriesOf(title).length > 0);
}
