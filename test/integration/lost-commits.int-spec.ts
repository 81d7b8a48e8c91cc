import { setTimeout as delay } from 'node:timers/promises';
import { migrateServer } from '@animal-store/persistence';
import { NewPet, PetReadModel, PetRepository } from '@animal-store/pets-domain';
import { withClient } from '../support/database-client.js';
import { startLocalServer, type LocalPostgresServer } from '../support/postgres-server.js';
import { openService, type Service } from '../support/service-without-http.js';

/** A server that loses the last commits in a crash, as with `synchronous_commit = off`, of up to ten seconds. */
let server: LocalPostgresServer;
let service: Service;

beforeAll(async () => {
  server = await startLocalServer();
  await withClient(server.url, async (client) => {
    await client.query(`alter system set wal_writer_delay = '10s'`);
    await client.query('select pg_reload_conf()');
  });
  await migrateServer(server.url);
  service = await openService({ environment: { DATABASE_URL: server.url } });
});

afterAll(async () => {
  await service.close();
  await server.stop();
});

function snapshot(): Promise<string> {
  return valueOf(`select pg_current_snapshot()::text as value`);
}

function valueOf(query: string): Promise<string> {
  return withClient(server.url, async (client) => {
    const { rows } = await client.query<{ value: string }>(query);
    return rows[0]?.value ?? '';
  });
}

/** Kills a session, after which PostgreSQL ends all others, recovers, and serves again without a new start. */
async function crash(): Promise<void> {
  const other = untilLost();
  await untilLost((pid) => process.kill(pid, 'SIGKILL'));
  // PostgreSQL has noticed it when another session is lost, too. A session that began before would be lost as well.
  await other;
  await eventually(snapshot);
}

/** Opens a session, and waits until it is lost. @param begin is called with the number of its process */
async function untilLost(begin: (pid: number) => unknown = () => undefined): Promise<void> {
  const session = withClient(server.url, async (client) => {
    client.on('error', () => undefined);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    begin(rows[0]?.pid ?? 0);
    await client.query('select pg_sleep(60)');
  });
  await session.catch(() => undefined);
}

/** Tries until it succeeds. */
async function eventually<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch {
      await delay(20);
    }
  }
}

test('a page never shows a pet that a crash has lost, also where the numbers of the snapshot come back', async () => {
  const [pets, catalogue] = [service.get(PetRepository), service.get(PetReadModel)];
  await pets.add(new NewPet('kept', 7n));
  await valueOf('checkpoint');
  await pets.add(new NewPet('lost', 7n));
  const page = () => catalogue.findPage({ limit: 10 });
  expect((await page()).text).toContain('"lost"');
  const seen = await snapshot();
  await crash();
  expect(await valueOf(`select string_agg(name, ' ') as value from pets`)).toBe('kept');
  while ((await snapshot()) !== seen) await valueOf('select pg_current_xact_id()::text as value');
  expect((await eventually(page)).text).not.toContain('"lost"');
});
