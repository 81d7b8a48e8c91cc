import { setTimeout as delay } from 'node:timers/promises';
import { ApiKey, ApiKeys, generateApiKey, hashApiKey } from '@animal-store/auth';
import { Log } from '@animal-store/logging';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { RawConnection, rawExchange, requestBytes } from '../support/raw-http.js';
import { startApp, TEST_API_KEY, useApp, type RequestOptions } from '../support/running-app.js';
import { codeForStatus } from '../../libs/http/src/errors/error-codes.js';

interface Line {
  readonly [field: string]: unknown;
  readonly msg: string;
  readonly requestId?: string;
}

const STORED_KEY = generateApiKey('test');
const WRONG_KEY = 'no-key-of-this-service';
const KEYS = [TEST_API_KEY, STORED_KEY, WRONG_KEY];
const SECRETS = [...KEYS, ...KEYS.map(hashApiKey), 'Bearer', 'authorization'];

describe('the log in production', () => {
  const write = process.stdout.write.bind(process.stdout);
  let output = '';

  beforeAll(() => {
    process.stdout.write = (chunk: string | Uint8Array) => {
      output += chunk.toString();
      return true;
    };
  });

  const app = useApp(createMigratedDatabase, { NODE_ENV: 'production', LOG_LEVEL: 'info' });

  beforeAll(async () => {
    await app.app.get(ApiKeys, { strict: false }).put(new ApiKey('shop', hashApiKey(STORED_KEY)));
  });

  afterAll(() => {
    process.stdout.write = write;
  });

  beforeEach(async () => {
    await linesWritten();
    output = '';
  });

  async function linesOf(path: string, options: RequestOptions = {}): Promise<Line[]> {
    const answer = await app.request(path, {
      ...options,
      headers: { 'x-request-id': 'the-request', ...options.headers },
    });
    await answer.text();
    return await linesWritten();
  }

  /** The server may log a request after its client has the response. */
  async function linesWritten(): Promise<Line[]> {
    await delay(50);
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  }

  const REQUESTS: [number, string, RequestOptions, string | undefined][] = [
    [200, '/v1/pets', { key: STORED_KEY }, 'shop'],
    [
      201,
      '/v1/pets',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Rex","categoryId":7}' },
      'bootstrap',
    ],
    [400, '/v1/pets', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }, 'bootstrap'],
    [401, '/v1/pets', { key: WRONG_KEY }, undefined],
    [404, '/v1/pets/9007199254740993', {}, 'bootstrap'],
  ];

  test.each(REQUESTS)(
    'has one line for a %i at %s, without a key or the header that carried it',
    async (status, path, options, key) => {
      const lines = await linesOf(path, options);
      expect(lines).toEqual([
        {
          level: 'info',
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
          pid: process.pid,
          hostname: expect.any(String) as string,
          requestId: 'the-request',
          method: options.method ?? 'GET',
          path: path.split('?')[0],
          status,
          ...(status >= 400 && { code: codeForStatus(status) }),
          durationMs: expect.any(Number) as number,
          remoteAddress: '127.0.0.1',
          ...(key !== undefined && { key }),
          ...(path.startsWith('/v1/pets/') && { deprecated: true }),
          msg: 'request',
        },
      ]);
      expect(SECRETS.filter((secret) => output.toLowerCase().includes(secret.toLowerCase()))).toEqual([]);
    },
  );

  test.each(['/health/live', '/health/ready', '/health/ready?probe=1'])('has no line at info for %s', async (path) => {
    expect(await linesOf(path, { key: null })).toEqual([]);
  });

  test('names a stored key that is refused, and why', async () => {
    const [revoked, expired] = [generateApiKey('test'), generateApiKey('test')];
    const keys = app.app.get(ApiKeys, { strict: false });
    await keys.put(new ApiKey('old shop', hashApiKey(revoked)));
    await keys.put(new ApiKey('old shop', hashApiKey(generateApiKey('test'))));
    await keys.put(new ApiKey('past shop', hashApiKey(expired), new Date(Date.now() - 1_000)));
    await linesOf('/v1/pets', { key: revoked });
    expect(await linesOf('/v1/pets', { key: expired })).toMatchObject([
      { status: 401, key: 'old shop', refused: 'revoked' },
      { status: 401, key: 'past shop', refused: 'expired' },
    ]);
  });

  test('tells a key neither of a path nor of a request id', async () => {
    await linesOf(`/v1/pets/${STORED_KEY}`, { headers: { 'x-request-id': STORED_KEY } });
    expect(output).toContain('"path":"/v1/pets/<key>"');
    expect(output).not.toContain(STORED_KEY);
  });

  test('has the address of a client that did not wait for the response, and no status', async () => {
    const connection = await RawConnection.open(app.port);
    const body = ['Content-Type: application/json', 'Content-Length: 5'];
    connection.send(requestBytes('POST', '/v1/pets', [`Authorization: Bearer ${TEST_API_KEY}`, ...body]));
    await delay(50);
    connection.reset();
    const [line] = await linesWritten();
    expect(line).toMatchObject({ aborted: true, remoteAddress: '127.0.0.1' });
    expect(line).not.toHaveProperty('status');
  });

  test('has the status and the code of a request whose body was no HTTP any more', async () => {
    const connection = await RawConnection.open(app.port);
    const body = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
    connection.send(requestBytes('POST', '/v1/pets', [`Authorization: Bearer ${TEST_API_KEY}`, ...body]));
    await delay(50);
    connection.send(Buffer.from('no length\r\n'));
    await delay(50);
    connection.close();
    expect(await linesWritten()).toEqual([
      expect.objectContaining({ status: 400, code: 'invalid_request', remoteAddress: '127.0.0.1', key: 'bootstrap' }),
    ]);
  });

  test('tells at debug what never was a request, and from where it came', async () => {
    const log = app.app.get(Log, { strict: false });
    const { level } = log.logger;
    log.logger.level = 'debug';
    await rawExchange(app.port, Buffer.from('this is no HTTP\r\n\r\n'));
    await rawExchange(app.port, requestBytes('CONNECT', 'another:80', []));
    log.logger.level = level;
    const refused = (await linesWritten()).filter(({ context }) => context === 'HttpServer');
    expect(refused.map(({ code, reason, remoteAddress }) => [code, reason, remoteAddress])).toEqual([
      ['invalid_request', 'HPE_INVALID_METHOD', '127.0.0.1'],
      ['method_not_allowed', 'CONNECT', '127.0.0.1'],
    ]);
  });
});

describe('behind a proxy', () => {
  const database = useDatabase(createMigratedDatabase);
  const written: string[] = [];
  const write = process.stdout.write.bind(process.stdout);

  beforeAll(() => {
    process.stdout.write = (chunk: string | Uint8Array) => written.push(chunk.toString()) > 0;
  });

  afterAll(() => {
    process.stdout.write = write;
  });

  test.each([
    ['1', '198.51.100.9, 203.0.113.7', '203.0.113.7'],
    ['1', 'nobody', '127.0.0.1'],
    ['loopback, 203.0.113.0/24', '192.0.2.1, 198.51.100.9, 203.0.113.7', '198.51.100.9'],
  ])('with TRUST_PROXY=%s the client of X-Forwarded-For: %s is %s', async (trusted, forwarded, address) => {
    const app = await startApp(database, { NODE_ENV: 'production', LOG_LEVEL: 'info', TRUST_PROXY: trusted });
    written.length = 0;
    await app.request('/v1/pets', { headers: { 'x-forwarded-for': forwarded } });
    await delay(20);
    await app.close();
    const lines = written.join('').split('\n');
    const line = lines.find((text) => text.includes('"msg":"request"')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ remoteAddress: address });
  });
});
