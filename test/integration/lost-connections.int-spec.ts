import pg from 'pg';
import { dropLostConnections } from '../../libs/persistence/src/lost-connections.js';
import { createServerDatabase, useDatabase } from '../support/databases.js';

/** Long enough for no connection to seem silent. */
const SILENCE_MS = 60_000;

describe('a pool of one connection', () => {
  const database = useDatabase(createServerDatabase);
  let pool: pg.Pool;

  beforeEach(() => {
    pool = new pg.Pool({ connectionString: database.url, max: 1 });
    dropLostConnections(SILENCE_MS)(pool);
  });

  afterEach(() => pool.end());

  /** Sends the statement as MikroORM does: the pool is not told how it went. */
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

  test('lends another one after the server ended the session', async () => {
    const before = await session();
    await expect(send('select pg_terminate_backend(pg_backend_pid())')).rejects.toMatchObject({ severity: 'FATAL' });
    expect(await session()).not.toBe(before);
  });

  test('lends another one after a statement that this side gave up, and which goes on', async () => {
    const before = await session();
    await expect(send({ text: 'select pg_sleep(20)', query_timeout: 50 })).rejects.toThrow('Query read timeout');
    expect(await session()).not.toBe(before);
  });
});
