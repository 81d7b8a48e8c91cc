import { setTimeout as delay } from 'node:timers/promises';
import { createMigratedDatabase } from '../support/databases.js';
import { DEFAULT_SERVER_LIMITS } from '../../libs/http/src/connections/connection-limits.js';
import { readError } from '../support/error-body.js';
import { RawConnection, requestBytes } from '../support/raw-http.js';
import { TEST_API_KEY, useApp } from '../support/running-app.js';
import { whilePetsAreLocked } from '../support/sql.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;
const JSON_TYPE = 'Content-Type: application/json';
const LIST = requestBytes('GET', '/v1/pets', [KEY]);
const LIVE = requestBytes('GET', '/health/live');

describe('with small limits', () => {
  const app = useApp(createMigratedDatabase, {
    MAX_CONNECTIONS: '10',
    BODY_LIMIT: '64k',
    BODIES_LIMIT: '100k',
  });
  const connections: RawConnection[] = [];

  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close();
    await delay(50);
  });

  async function connect(bytes = ''): Promise<RawConnection> {
    const connection = await RawConnection.open(app.port);
    connections.push(connection);
    connection.send(bytes);
    return connection;
  }

  test('a connection that brings more than may wait is told so, behind what was begun, and closed', async () => {
    // One read brings 64 KiB, so it takes two connections to bring more than may wait.
    const many = LIST + 'GET / HTTP/1.1\r\n\r\n'.repeat(0.75 * DEFAULT_SERVER_LIMITS.waitingRequests);
    await whilePetsAreLocked(app.database.url, async () => {
      await connect(many);
      await delay(100);
      await connect(many);
      await delay(100);
      const bystander = await connect(LIVE);
      expect((await bystander.answer()).status).toBe(200);
    });
    const [, flooding] = connections;
    expect((await flooding!.answer()).status).toBe(200);
    const refused = await flooding!.answer();
    expect(await readError(refused)).toMatchObject({ code: 'service_unavailable', status: 503 });
    expect([refused.headers.get('retry-after'), refused.headers.get('connection')]).toEqual(['1', 'close']);
    await flooding!.untilClosed();
    expect(flooding!.unread.toString()).toBe('');
  });

  test('a connection more than may be open takes the place of the one that is idle for longest', async () => {
    const oldest = await connect();
    for (let count = 1; count < 10; count++) await connect();
    const newcomer = await connect(LIVE);
    expect((await newcomer.answer()).status).toBe(200);
    await oldest.untilClosed();
    expect(connections.slice(-5).map(({ isClosed }) => isClosed)).toEqual([false, false, false, false, false]);
  });

  test('a connection that brought a valid key goes after those that brought none', async () => {
    const known = await connect(LIST);
    expect((await known.answer()).status).toBe(200);
    for (let count = 1; count < 10; count++) await connect();
    for (let count = 0; count < 5; count++) await (await connect(LIVE)).answer();
    known.send(LIST);
    expect((await known.answer()).status).toBe(200);
  });

  test('of bodies that are too large together, the largest is refused with 503, and small ones are read', async () => {
    const body = (length: number) =>
      requestBytes('POST', '/v1/pets', [KEY, JSON_TYPE, `Content-Length: ${length}`], ' '.repeat(length - 1));
    const first = await connect(body(60_000));
    await delay(50);
    const second = await connect(body(50_000));
    const refused = await first.answer();
    expect(await readError(refused)).toMatchObject({ code: 'service_unavailable', status: 503 });
    second.send('x');
    expect((await readError(await second.answer())).code).toBe('invalid_request');
    expect((await app.createPet({ name: 'Rex', categoryId: 7 })).status).toBe(201);
  });

  test('a body of as many chunks as bytes is read as any other', async () => {
    const text = JSON.stringify({ name: 'x'.repeat(200), categoryId: 7 });
    const chunks = Array.from(text, (character) => `1\r\n${character}\r\n`).join('');
    const connection = await connect(
      requestBytes('POST', '/v1/pets', [KEY, JSON_TYPE, 'Transfer-Encoding: chunked'], `${chunks}0\r\n\r\n`),
    );
    expect((await connection.answer()).status).toBe(201);
  });
});
