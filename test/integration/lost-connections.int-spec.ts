import { setTimeout as delay } from 'node:timers/promises';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { PooledClient, endSilentConnections } from '../../libs/persistence/src/connections/pooled-client.js';
import { createServerDatabase, useDatabase } from '../support/databases.js';
import { LOSE } from '../support/lost-connections.js';
import { startTlsDatabase, type TlsDatabase } from '../support/tls-database.js';

describe('a pool of one connection', () => {
  const database = useDatabase(createServerDatabase);
  let pool: pg.Pool;

  beforeEach(() => {
    pool = new pg.Pool({ connectionString: database.url, max: 1, Client: PooledClient });
    // MikroORM listens to these events too. They report errors of connections without a statement.
    pool.on('connect', (client) => client.on('error', () => undefined));
    pool.on('error', () => undefined);
  });

  afterEach(() => pool.end());

  /** Sends the statement as MikroORM does: the pool does not learn the result. */
  async function send(statement: string | (pg.QueryConfig & { query_timeout: number })): Promise<pg.QueryResult> {
    const client = await pool.connect();
    try {
      return await client.query(statement);
    } finally {
      client.release();
    }
  }

  async function session(): Promise<unknown> {
    const { rows } = await send('select pg_backend_pid() as id');
    return (rows as { id: number }[])[0]?.id;
  }

  test('lends the same one again', async () => {
    expect(await session()).toBe(await session());
  });

  test('lends the same one again after a statement that the server refused', async () => {
    const before = await session();
    await expect(send('select 1 / 0')).rejects.toMatchObject({ severity: 'ERROR' });
    expect(await session()).toBe(before);
  });

  test('is ended once, however many statements wait on it', async () => {
    const client = await pool.connect();
    const lost = [LOSE, ...Array.from({ length: 12 }, () => 'select 1')].map((text) => client.query(text));
    expect(new Set((await Promise.allSettled(lost)).map(({ status }) => status))).toEqual(new Set(['rejected']));
    const { connection } = client as unknown as { readonly connection: NodeJS.EventEmitter };
    expect(connection.listenerCount('end')).toBeLessThan(5);
    client.release();
  });

  test('lends another one after the server ended the session', async () => {
    const before = await session();
    await expect(send(LOSE)).rejects.toMatchObject({ severity: 'FATAL' });
    expect(await session()).not.toBe(before);
  });

  test('lends another one after a statement that this side gave up, and which goes on', async () => {
    const before = await session();
    await expect(send({ text: 'select pg_sleep(20)', query_timeout: 50 })).rejects.toThrow('Query read timeout');
    expect(await session()).not.toBe(before);
  });

  test('lends another one after one was lost that nobody gave back, and takes that back once', async () => {
    const lost = await pool.connect();
    await expect(lost.query(LOSE)).rejects.toThrow();
    expect(await session()).toEqual(expect.any(Number));
    lost.release();
    expect(pool.totalCount).toBe(1);
  });

  test('takes none back twice', async () => {
    const client = await pool.connect();
    client.release();
    expect(() => {
      client.release();
    }).toThrow('already been released');
  });
});

test('Kysely still keeps a connection whose rollback failed: when this fails, PooledClient need not give it back', async () => {
  const database = await createServerDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  pool.on('connect', (client) => client.on('error', () => undefined));
  const kysely = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const transaction = await kysely.startTransaction().execute();
  await expect(transaction.executeQuery(CompiledQuery.raw(LOSE))).rejects.toThrow();
  await expect(transaction.rollback().execute()).rejects.toThrow();
  expect(pool.totalCount).toBe(1);
  await database.remove();
});

const SILENCE_MS = 400;

/** These tests do not check certificates. */
const TLS = { rejectUnauthorized: false };

describe.each<[string, pg.PoolConfig]>([
  ['in clear', { stream: endSilentConnections(SILENCE_MS) }],
  ['encrypted', { stream: endSilentConnections(SILENCE_MS), ssl: TLS }],
])('a connection %s', (way, options) => {
  let server: TlsDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    server = await startTlsDatabase();
    await server.present('server');
    pool = new pg.Pool({ connectionString: server.url('shop'), max: 1, ...options });
    // The pool emits this event if an idle connection ends.
    pool.on('error', () => undefined);
  });

  afterAll(async () => {
    await pool.end();
    await server.stop();
  });

  test('is ended when the server falls silent', async () => {
    await expect(pool.query('select pg_sleep(20)')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });

  test('is kept while the server speaks', async () => {
    const sessions = new Set<unknown>();
    for (let times = 0; times < 8; times += 1) {
      const { rows } = await pool.query<[number, boolean]>({
        text: 'select pid, ssl from pg_stat_ssl where pid = pg_backend_pid()',
        rowMode: 'array',
      });
      sessions.add(rows[0]?.[0]);
      expect(rows[0]?.[1]).toBe(way !== 'in clear');
      await delay(SILENCE_MS / 4);
    }
    expect(sessions.size).toBe(1);
  });
});
