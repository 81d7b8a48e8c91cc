import type { Server } from 'node:http';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { RawConnection, requestBytes } from '../support/raw-http.js';
import { startApp, TEST_API_KEY, type RunningApp } from '../support/running-app.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;

/** Replaces the time limits of the service for clients, because they are too long for a test. */
const SHORT_MS = 300;

describe('a client that is slow', () => {
  const database = useDatabase(createMigratedDatabase);
  let app: RunningApp;
  let server: Server;
  const connections: RawConnection[] = [];

  beforeEach(async () => {
    app = await startApp(database);
    server = app.app.getHttpServer();
  });

  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close();
    await app.close();
  });

  async function connect(): Promise<RawConnection> {
    const connection = await RawConnection.open(app.port);
    connections.push(connection);
    return connection;
  }

  test('may take 15 s for its headers, and 30 s for its request', () => {
    expect([server.headersTimeout, server.requestTimeout]).toEqual([15_000, 30_000]);
  });

  test('may leave its connection idle, or its response unread, for 65 s', () => {
    expect([server.keepAliveTimeout, server.timeout]).toEqual([65_000, 65_000]);
  });

  test('is told so when it never ends its headers, and a hundred of them keep nobody from being served', async () => {
    server.headersTimeout = SHORT_MS;
    const slow = await Promise.all(Array.from({ length: 100 }, connect));
    for (const connection of slow) connection.send('GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    expect((await app.request('/v1/pets')).status).toBe(200);
    for (const connection of slow) {
      expect(await readError(await connection.response())).toMatchObject({ code: 'request_timeout', status: 408 });
      await connection.untilClosed();
    }
  });

  test('is told so when it never ends its body', async () => {
    server.headersTimeout = server.requestTimeout = SHORT_MS;
    const connection = await connect();
    connection.send(
      requestBytes('POST', '/v1/pets', [KEY, 'Content-Type: application/json', 'Content-Length: 9'], '{'),
    );
    expect(await readError(await connection.response())).toMatchObject({ code: 'request_timeout', status: 408 });
    await connection.untilClosed();
  });
});
