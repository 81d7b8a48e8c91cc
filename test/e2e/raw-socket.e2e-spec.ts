import { ApiKey, ApiKeyAdministration, generateApiKey, hashApiKey } from '@animal-store/auth';
import { createMigratedDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { RawConnection, rawExchange, requestBytes } from '../support/raw-http.js';
import { TEST_API_KEY, useApp } from '../support/running-app.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;
const JSON_TYPE = 'Content-Type: application/json';
const MALFORMED = {
  code: 'invalid_request',
  message: 'The request is not valid HTTP/1.1: check its first line, its header fields and the length of its body',
  status: 400,
};

describe('on the raw socket', () => {
  const app = useApp(createMigratedDatabase);

  test.each<[string, string | Buffer]>([
    ['a line of garbage', 'garbage\r\n\r\n'],
    ['an unknown method', 'FOO /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n'],
    ['a header without a colon', requestBytes('GET', '/v1/pets', ['no colon'])],
    [
      'a length and chunks',
      requestBytes('POST', '/v1/pets', [KEY, 'Content-Length: 2', 'Transfer-Encoding: chunked'], '{}'),
    ],
    [
      'an unknown transfer encoding',
      requestBytes('POST', '/v1/pets', [KEY, JSON_TYPE, 'Transfer-Encoding: gzip'], '{}'),
    ],
    [
      'a chunk without a size',
      requestBytes('POST', '/v1/pets', [KEY, JSON_TYPE, 'Transfer-Encoding: chunked'], 'zz\r\n'),
    ],
    ['a TLS handshake', Buffer.from('16030100a5010000a1030360', 'hex')],
  ])('%s is answered with one 400 and the end of the connection', async (_name, bytes) => {
    const connection = await RawConnection.open(app.port);
    connection.send(bytes);
    const answer = await connection.response();
    expect(await readError(answer)).toEqual(MALFORMED);
    expect(answer.headers.get('connection')).toBe('close');
    await connection.untilClosed();
    expect(connection.unread.toString()).toBe('');
  });

  test('no host is answered with 400 and what to send instead', async () => {
    const answer = await rawExchange(app.port, `GET /v1/pets HTTP/1.1\r\n${KEY}\r\n\r\n`);
    expect(await readError(answer)).toMatchObject({ code: 'invalid_request', status: 400 });
    expect(answer.text()).toContain('exactly one Host header');
  });

  test('without a key a broken body that comes after a while finds its 401 given already', async () => {
    const connection = await RawConnection.open(app.port);
    connection.send(requestBytes('POST', '/v1/pets', [JSON_TYPE, 'Transfer-Encoding: chunked'], '5\r\n{"nam\r\n'));
    const answer = await connection.response();
    connection.send('zz\r\n');
    await connection.untilClosed();
    expect((await readError(answer)).status).toBe(401);
    expect(connection.unread.toString()).toBe('');
  });

  test.each([
    ['a chunk without a size', JSON_TYPE, 'zz\r\n'],
    ['chunk extensions of 20 kB', JSON_TYPE, `5;${'x'.repeat(20_000)}\r\n{"nam\r\n`],
    ['a trailer that is none', JSON_TYPE, '0\r\nno colon\r\n\r\n'],
  ])('without a key %s in the packet of its header is answered with one 401', async (_name, type, chunks) => {
    for (const keys of [[], [`Authorization: Bearer ${generateApiKey('asdev')}`]]) {
      const connection = await RawConnection.open(app.port);
      connection.send(requestBytes('POST', '/v1/pets', [...keys, type, 'Transfer-Encoding: chunked'], chunks));
      expect((await readError(await connection.response())).status).toBe(401);
      await connection.untilClosed();
      expect(connection.unread.toString()).toBe('');
    }
  });

  test('a broken body is answered with one 400 where the key has to be looked up first', async () => {
    const key = generateApiKey('asdev');
    await app.app.get(ApiKeyAdministration, { strict: false }).create(new ApiKey('looked-up', hashApiKey(key)), 'test');
    const connection = await RawConnection.open(app.port);
    const headers = [`Authorization: Bearer ${key}`, JSON_TYPE, 'Transfer-Encoding: chunked'];
    connection.send(requestBytes('POST', '/v1/pets', headers, 'zz\r\n'));
    expect(await readError(await connection.response())).toEqual(MALFORMED);
    await connection.untilClosed();
    expect(connection.unread.toString()).toBe('');
  });

  test('headers of 20 kB are answered with 431', async () => {
    const answer = await rawExchange(app.port, requestBytes('GET', '/v1/pets', [KEY, `X-Long: ${'x'.repeat(20_000)}`]));
    expect(await readError(answer)).toEqual({
      code: 'headers_too_large',
      message: 'The address and the header fields are larger than 16 KiB: send fewer or shorter ones',
      status: 431,
    });
  });

  test('an idle connection is kept longer than the 60 seconds of a balancer, and the client is told so', async () => {
    const connection = await RawConnection.open(app.port);
    connection.send(requestBytes('GET', '/v1/pets'));
    const { headers } = await connection.response();
    expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', 'timeout=65']);
    connection.send(requestBytes('GET', '/v1/pets', ['Connection: close']));
    const last = await connection.response();
    expect([last.headers.get('connection'), last.headers.get('keep-alive')]).toEqual(['close', null]);
    await connection.untilClosed();
  });

  test('CONNECT is answered with 405, behind the request before it', async () => {
    const connection = await RawConnection.open(app.port);
    const connect = 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n';
    connection.send(requestBytes('GET', '/v1/pets', [KEY]) + connect);
    expect((await connection.response()).status).toBe(200);
    const answer = await connection.response();
    expect((await readError(answer)).code).toBe('method_not_allowed');
    expect(answer.headers.get('allow')?.split(', ')).toEqual(
      expect.arrayContaining(['GET', 'HEAD', 'POST', 'OPTIONS']),
    );
    await connection.untilClosed();
    expect(connection.unread.toString()).toBe('');
  });

  test('an upgrade is ignored: the request has its response, and the next one on the connection is served', async () => {
    const connection = await RawConnection.open(app.port);
    const upgrade = requestBytes('GET', '/v1/pets', [KEY, 'Connection: Upgrade', 'Upgrade: h2c']);
    for (const [request, status] of [
      [upgrade, 200],
      [requestBytes('GET', '/v1/pets/7', [KEY]), 404],
    ] as const) {
      connection.send(request);
      expect((await connection.response()).status).toBe(status);
    }
    connection.close();
  });

  test('an expectation that is not known is ignored', async () => {
    const answer = await rawExchange(app.port, requestBytes('GET', '/v1/pets', [KEY, 'Expect: tea']));
    expect([answer.status, answer.text()]).toEqual([200, '[]']);
  });

  test('a client of HTTP/1.0 is served and let go', async () => {
    const connection = await RawConnection.open(app.port);
    connection.send(`GET /v1/pets HTTP/1.0\r\n${KEY}\r\n\r\n`);
    const answer = await connection.response();
    await connection.untilClosed();
    expect([answer.status, answer.text()]).toEqual([200, '[]']);
  });

  test('garbage behind a valid request is answered after it', async () => {
    const connection = await RawConnection.open(app.port);
    connection.send(`${requestBytes('GET', '/v1/pets', [KEY])}garbage\r\n\r\n`);
    const answers = [await connection.response(), await connection.response()];
    await connection.untilClosed();
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    expect(await readError(answers[1]!)).toEqual(MALFORMED);
  });
});
