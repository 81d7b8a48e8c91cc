import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Module, Post, Req } from '@nestjs/common';
import { ApiConsumes } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiKey, ApiKeyAdministration, generateApiKey, hashApiKey } from '@animal-store/auth';
import { PetReadModel } from '@animal-store/pets-domain';
import { CapturedLog } from '../support/captured-log.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { RawConnection, requestBytes } from '../support/raw-http.js';
import { startApp, TEST_API_KEY, useApp, type RequestOptions } from '../support/running-app.js';
import { codeForStatus } from '../../libs/http/src/errors/error-codes.js';

const { jest } = import.meta;

const STORED_KEY = generateApiKey('test');
const WRONG_KEY = 'no-key-of-this-service';
const KEYS = [TEST_API_KEY, STORED_KEY, WRONG_KEY];
const SECRETS = [...KEYS, ...KEYS.map(hashApiKey), 'Bearer', 'authorization'];

@Controller({ path: 'texts', version: '1' })
class TextsController {
  @Post()
  @ApiConsumes('text/plain')
  async count(@Req() request: Request): Promise<number> {
    let size = 0;
    for await (const chunk of request) size += (chunk as Buffer).length;
    return size;
  }
}

@Module({ controllers: [TextsController] })
class TextsModule {}

describe('the log in production', () => {
  let output: CapturedLog;

  beforeAll(() => {
    output = new CapturedLog();
  });

  const app = useApp(
    createMigratedDatabase,
    { NODE_ENV: 'production', LOG_LEVEL: 'info' },
    { features: [TextsModule] },
  );

  beforeAll(async () => {
    await app.app
      .get(ApiKeyAdministration, { strict: false })
      .create(new ApiKey('shop', hashApiKey(STORED_KEY)), 'test');
  });

  afterAll(() => {
    output.release();
  });

  beforeEach(() => output.clear());

  async function linesOf(path: string, options: RequestOptions = {}): Promise<object[]> {
    const answer = await app.request(path, {
      ...options,
      headers: { 'x-request-id': 'the-request', ...options.headers },
    });
    await answer.text();
    return await output.lines();
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
          msg: 'request',
        },
      ]);
      expect(SECRETS.filter((secret) => output.text.toLowerCase().includes(secret.toLowerCase()))).toEqual([]);
    },
  );

  test.each(['/health/live', '/health/ready', '/health/ready?probe=1'])('has no line at info for %s', async (path) => {
    expect(await linesOf(path, { key: null })).toEqual([]);
  });

  test('names a stored key that is refused, and why', async () => {
    const [revoked, expired] = [generateApiKey('test'), generateApiKey('test')];
    const keys = app.app.get(ApiKeyAdministration, { strict: false });
    await keys.create(new ApiKey('old shop', hashApiKey(revoked)), 'test');
    await keys.revoke('old shop', 'test');
    await keys.create(new ApiKey('past shop', hashApiKey(expired), new Date(Date.now() - 1_000)), 'test');
    await linesOf('/v1/pets', { key: revoked });
    expect(await linesOf('/v1/pets', { key: expired })).toMatchObject([
      { status: 401, reason: 'The key of old shop is revoked' },
      { status: 401, reason: 'The key of past shop is expired' },
    ]);
  });

  test('says at warn why a request failed, which its client does not learn', async () => {
    const pool = new Error(`timeout exceeded when trying to connect\n  - detail: ${STORED_KEY}`);
    const cause = new Error('Failed query', { cause: pool });
    jest.spyOn(app.app.get(PetReadModel, { strict: false }), 'findPage').mockRejectedValueOnce(cause);
    expect(await linesOf('/v1/pets')).toMatchObject([
      {
        level: 'warn',
        status: 503,
        code: 'service_unavailable',
        reason: 'timeout exceeded when trying to connect',
      },
    ]);
  });

  test('tells a key neither of a path nor of a request id', async () => {
    await linesOf(`/v1/pets/${STORED_KEY}`, { headers: { 'x-request-id': STORED_KEY } });
    expect(output.text).toContain('"path":"/v1/pets/test<key>"');
    expect(output.text).not.toContain(STORED_KEY);
  });

  test('has the address of a client that did not wait for the response, and no status', async () => {
    const connection = await RawConnection.open(app.port);
    const body = ['Content-Type: application/json', 'Content-Length: 5'];
    connection.send(requestBytes('POST', '/v1/pets', [`Authorization: Bearer ${TEST_API_KEY}`, ...body]));
    await delay(50);
    connection.reset();
    const [line] = await output.lines();
    expect(line).toMatchObject({ aborted: true, remoteAddress: '127.0.0.1' });
    expect(line).not.toHaveProperty('status');
  });

  test('has a line for a request whose handler destroyed it, because its body was broken', async () => {
    const connection = await RawConnection.open(app.port);
    const headers = [`Authorization: Bearer ${TEST_API_KEY}`, 'Content-Type: text/plain', 'Transfer-Encoding: chunked'];
    connection.send(requestBytes('POST', '/v1/texts', headers, '5\r\nabcde\r\n'));
    await delay(50);
    connection.send('zz\r\n');
    expect((await connection.response()).status).toBe(400);
    expect(await output.lines()).toMatchObject([{ path: '/v1/texts', status: 400 }]);
  });
});

describe('behind a proxy', () => {
  const database = useDatabase(createMigratedDatabase);
  let output: CapturedLog;

  beforeAll(() => {
    output = new CapturedLog();
  });

  afterAll(() => {
    output.release();
  });

  test.each([
    ['1', '198.51.100.9, 203.0.113.7', '203.0.113.7'],
    ['loopback, 203.0.113.0/24', '192.0.2.1, 198.51.100.9, 203.0.113.7', '198.51.100.9'],
  ])('with TRUST_PROXY=%s the client of X-Forwarded-For: %s is %s', async (trusted, forwarded, address) => {
    const app = await startApp(database, { NODE_ENV: 'production', LOG_LEVEL: 'info', TRUST_PROXY: trusted });
    await output.clear();
    await app.request('/v1/pets', { headers: { 'x-forwarded-for': forwarded } });
    const lines = await output.lines();
    await app.close();
    expect(lines).toEqual([expect.objectContaining({ remoteAddress: address })]);
  });
});
