import { setTimeout as delay } from 'node:timers/promises';
import { createMigratedDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { RawConnection, requestBytes } from '../support/raw-http.js';
import { TEST_API_KEY, useApp } from '../support/running-app.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;
const JSON_TYPE = 'Content-Type: application/json';
const LIVE = requestBytes('GET', '/health/live');

describe('with small limits', () => {
  const app = useApp(createMigratedDatabase, {
    MAX_CONNECTIONS: '10',
    BODY_LIMIT: '64k',
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

  test('a body in chunks is refused as soon as it is too large', async () => {
    const chunked = requestBytes('POST', '/v1/pets', [KEY, JSON_TYPE, 'Transfer-Encoding: chunked']);
    const large = await connect(`${chunked}20000\r\n${' '.repeat(0x20000)}\r\n`);
    expect((await readError(await large.response())).code).toBe('payload_too_large');
  });

  test.each([
    ['for a key that is none', '/v1/pets', ['Authorization: Bearer none', JSON_TYPE], 401],
    ['of a wrong type', '/v1/pets', [KEY, 'Content-Type: text/plain'], 415],
    ['without a key', '/v1/pets', [JSON_TYPE], 401],
    ['for no address', '/v1/nowhere', [KEY, JSON_TYPE], 404],
  ])('a refusal is sent before the body has come, which is dropped: %s', async (_what, path, fields, status) => {
    const connection = await connect(requestBytes('POST', path, [...fields, 'Content-Length: 50000']));
    expect((await readError(await connection.response())).status).toBe(status);
    for (let sent = 0; sent < 5; sent += 1) {
      connection.send(' '.repeat(10_000));
      await delay(10);
    }
    connection.send(LIVE);
    expect((await connection.response()).status).toBe(200);
  });
});
