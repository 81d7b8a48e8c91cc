import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { PooledClient } from '../../libs/persistence/src/connections/pooled-client.js';
import { createServerDatabase, useDatabase } from '../support/databases.js';
import { LOSE } from '../support/database-client.js';

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
