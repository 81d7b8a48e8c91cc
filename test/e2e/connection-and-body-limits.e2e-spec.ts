import { setTimeout as delay } from 'node:timers/promises';
import { createMigratedDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { RawConnection, requestBytes } from '../support/raw-http.js';
import { TEST_API_KEY, useApp } from '../support/running-app.js';

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

  test('a connection more than may be open takes the place of the one that is idle for longest', async () => {
    const oldest = await connect();
    for (let count = 1; count < 10; count++) await connect();
    const newcomer = await connect(LIVE);
    expect((await newcomer.response()).status).toBe(200);
    await oldest.untilClosed();
    expect(connections.slice(-5).map(({ isClosed }) => isClosed)).toEqual([false, false, false, false, false]);
  });

  test('a connection that brought a valid key goes after those that brought none', async () => {
    const known = await connect(LIST);
    expect((await known.response()).status).toBe(200);
    for (let count = 1; count < 10; count++) await connect();
    for (let count = 0; count < 5; count++) await (await connect(LIVE)).response();
    known.send(LIST);
    expect((await known.response()).status).toBe(200);
  });

  test('of bodies that are too large together, the largest is refused with 503, and small ones are read', async () => {
    const body = (length: number) =>
      requestBytes('POST', '/v1/pets', [KEY, JSON_TYPE, `Content-Length: ${length}`], ' '.repeat(length - 1));
    const first = await connect(body(60_000));
    await delay(50);
    const second = await connect(body(50_000));
    const refused = await first.response();
    expect(await readError(refused)).toMatchObject({ code: 'service_unavailable', status: 503 });
    second.send('x');
    expect((await readError(await second.response())).code).toBe('invalid_request');
    expect((await app.createPet({ name: 'Rex', categoryId: 7 })).status).toBe(201);
  });
});
