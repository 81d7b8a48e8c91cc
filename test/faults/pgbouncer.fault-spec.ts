import { ApiKey, ApiKeyAdministration, ApiKeys, generateApiKey, hashApiKey } from '@animal-store/auth';
import { migrateServer } from '@animal-store/persistence';
import { createServerDatabase } from '../support/databases.js';
import { nextPage } from '../support/page-links.js';
import { describeUnless } from '../support/describe-unless.js';
import { HAS_PGBOUNCER, startPgBouncer, type PgBouncer } from './pgbouncer.js';
import { startApp, type RunningApp } from '../support/running-app.js';
import { withClient } from '../support/database-client.js';

const describeWithPgBouncer = describeUnless(HAS_PGBOUNCER ? undefined : 'Skipped: pgbouncer is not installed');

describeWithPgBouncer('through a PgBouncer that pools by transaction', () => {
  let database: Awaited<ReturnType<typeof createServerDatabase>>;
  let bouncer: PgBouncer;
  let app: RunningApp;

  beforeAll(async () => {
    database = await createServerDatabase();
    bouncer = await startPgBouncer(database.url);
  });

  afterAll(async () => {
    await app.close();
    await bouncer.stop();
    await database.remove();
  });

  test('migrations run, each once, and leave no lock behind', async () => {
    const done = await Promise.all([1, 2].map(() => migrateServer(bouncer.url)));
    expect(done.flat()).toHaveLength(new Set(done.flat()).size);
    const { rows } = await withClient(database.url, (client) =>
      client.query(`select * from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`),
    );
    expect(rows).toEqual([]);
  });

  test('the service becomes ready', async () => {
    const environment = { DATABASE_URL: bouncer.url, DATABASE_PREPARED_STATEMENTS: 'false' };
    app = await startApp({ environment, remove: () => Promise.resolve() });
    expect((await app.request('/health/ready')).status).toBe(200);
  });

  test('pets are added, listed and fetched by many clients at once', async () => {
    const added = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const answer = await app.createPet({ name: `pet ${index}`, categoryId: index });
        const { id } = (await answer.json()) as { id: number };
        const read = await app.request(`/v1/pets/${id}`);
        await read.arrayBuffer();
        return { id, statuses: [answer.status, read.status] };
      }),
    );
    expect(new Set(added.flatMap(({ statuses }) => statuses))).toEqual(new Set([201, 200]));

    const walked: number[] = [];
    for (let path: string | undefined = '/v1/pets?limit=100'; path !== undefined;) {
      const page: Response = await app.request(path);
      walked.push(...((await page.json()) as { id: number }[]).map(({ id }) => id));
      path = nextPage(page);
    }
    expect(walked).toEqual(added.map(({ id }) => id).toSorted((one, other) => one - other));
  });

  test('a stored key is found', async () => {
    const key = generateApiKey('test');
    await app.app.get(ApiKeys, { strict: false }).put(new ApiKey('shop', hashApiKey(key)));
    expect((await app.request('/v1/pets', { key })).status).toBe(200);
    expect((await app.request('/v1/pets', { key: generateApiKey('test') })).status).toBe(401);
  });

  test('an addition that cannot go on is given up with 503, and the next one is served', async () => {
    await withClient(database.url, async (client) => {
      await client.query('begin; lock table pets in exclusive mode');
      const before = Date.now();
      const stuck = await app.createPet({ name: 'stuck', categoryId: 1 });
      console.log(`Given up after ${Date.now() - before} ms`);
      expect(stuck.status).toBe(503);
      expect(Date.now() - before).toBeLessThan(15_000);
    });
    expect((await app.createPet({ name: 'free', categoryId: 1 })).status).toBe(201);
  });

  test.each([
    ['lock_timeout', '1234ms'],
    ['jit', 'off'],
  ])('the setting %s of a role holds, as the manual says', async (setting, value) => {
    const role = new URL(bouncer.url).username;
    await withClient(database.url, (client) =>
      client.query(
        `alter role ${role} in database "${new URL(database.url).pathname.slice(1)}" set ${setting} = '${value}'`,
      ),
    );
    const other = await startPgBouncer(database.url);
    try {
      const { rows } = await withClient(other.url, (client) => client.query(`show ${setting}`));
      expect(rows).toEqual([{ [setting]: value }]);
    } finally {
      await other.stop();
    }
  });

  /** The service through a PgBouncer of its own. */
  async function throughBouncer(
    settings: string,
    work: (other: RunningApp, url: string) => Promise<void>,
  ): Promise<void> {
    const other = await startPgBouncer(database.url, settings);
    const environment = { DATABASE_URL: other.url, DATABASE_PREPARED_STATEMENTS: 'false' };
    const service = await startApp({ environment, remove: () => Promise.resolve() });
    try {
      await work(service, other.url);
    } finally {
      await service.close();
      await other.stop();
    }
  }

  test('a PgBouncer that has no connection left is a database that is away', async () => {
    await throughBouncer('max_client_conn = 1', (other, url) =>
      withClient(url, async () => {
        expect((await other.request('/v1/pets')).status).toBe(503);
        expect((await other.createPet({ name: 'refused', categoryId: 1 })).status).toBe(503);
        expect((await other.request('/health/ready')).status).toBe(503);
      }),
    );
  });

  test('a PgBouncer that cannot log in is a database that is away', async () => {
    await throughBouncer('server_login_retry = 1', async (other) => {
      const name = new URL(database.url).pathname.slice(1);
      const allow = async (value: boolean) => {
        const server = new URL(database.url);
        server.pathname = '/postgres';
        await withClient(server.toString(), async (client) => {
          await client.query(`alter database "${name}" allow_connections ${String(value)}`);
          if (!value)
            await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
        });
      };
      await allow(false);
      try {
        for (let times = 0; times < 5; times += 1) expect((await other.request('/v1/pets')).status).toBe(503);
      } finally {
        await allow(true);
      }
    });
  });

  test('times are read whatever the date style of the role is', async () => {
    const [role, name] = [new URL(bouncer.url).username, new URL(database.url).pathname.slice(1)];
    await withClient(database.url, (client) =>
      client.query(`alter role ${role} in database "${name}" set datestyle = 'SQL, DMY'`),
    );
    await throughBouncer('', async (other) => {
      const administration = other.app.get(ApiKeyAdministration, { strict: false });
      const expiresAt = new Date('2031-02-13T04:05:06.789Z');
      await administration.create(new ApiKey('times', hashApiKey(generateApiKey('test')), expiresAt), 'me');
      const keys = await Promise.all(Array.from({ length: 20 }, () => administration.list()));
      expect(keys.map((list) => list.find((key) => key.name === 'times')?.expiresAt)).toEqual(
        keys.map(() => expiresAt),
      );
    });
  });
});
