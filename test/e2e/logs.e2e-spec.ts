import { ApiKey, ApiKeys, generateApiKey, hashApiKey } from '@animal-store/auth';
import { PetsService } from '@animal-store/pets-domain';
import { createMigratedDatabase } from '../support/databases.js';
import { rawExchange, requestBytes } from '../support/raw-http.js';
import { TEST_API_KEY, useApp, type RequestOptions } from '../support/running-app.js';

interface Line {
  readonly [field: string]: unknown;
  readonly msg: string;
  readonly requestId?: string;
}

const STORED_KEY = generateApiKey('test');
const WRONG_KEY = 'no-key-of-this-service';

describe('the log in production', () => {
  const write = process.stdout.write.bind(process.stdout);
  let output = '';

  // Before the start: a logger that finds standard output replaced writes to what replaced it.
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

  beforeEach(() => {
    output = '';
  });

  async function linesOf(path: string, options: RequestOptions = {}): Promise<Line[]> {
    const answer = await app.request(path, {
      ...options,
      headers: { 'x-request-id': 'the-request', ...options.headers },
    });
    await answer.text();
    await new Promise((resolve) => setTimeout(resolve, 20));
    return linesWritten();
  }

  function linesWritten(): Line[] {
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  }

  const REQUESTS: [number, string, RequestOptions, string | undefined][] = [
    [200, '/v1/pets', {}, 'bootstrap'],
    [200, '/v1/pets', { key: STORED_KEY }, 'shop'],
    [200, '/health/live', { key: null }, undefined],
    [
      201,
      '/v1/pets',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"Rex","categoryId":7}' },
      'bootstrap',
    ],
    [204, '/v1/pets', { method: 'OPTIONS' }, 'bootstrap'],
    [400, '/v1/pets?limit=0', {}, 'bootstrap'],
    [400, '/v1/pets', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }, 'bootstrap'],
    [401, '/v1/pets', { key: null }, undefined],
    [401, '/v1/pets', { key: WRONG_KEY }, undefined],
    [404, '/v1/pets/9007199254740993', {}, 'bootstrap'],
    [404, '/nope', { key: null }, undefined],
    [405, '/v1/pets', { method: 'DELETE' }, 'bootstrap'],
    [415, '/v1/pets', { method: 'POST', body: 'x' }, 'bootstrap'],
  ];

  test.each(REQUESTS)('has one line for a %i at %s', async (status, path, options, key) => {
    const lines = await linesOf(path, options);
    expect(lines).toEqual([
      {
        level: 30,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        pid: process.pid,
        hostname: expect.any(String) as string,
        requestId: 'the-request',
        method: options.method ?? 'GET',
        path: path.split('?')[0],
        status,
        durationMs: expect.any(Number) as number,
        ...(key !== undefined && { key }),
        ...(path.startsWith('/v1/pets/') && { deprecated: true }),
        msg: 'request',
      },
    ]);
  });

  test.each(REQUESTS)(
    'never holds a key, nor the header that carried it, for a %i at %s',
    async (_status, path, options) => {
      await linesOf(path, options);
      const secrets = [
        TEST_API_KEY,
        STORED_KEY,
        WRONG_KEY,
        hashApiKey(TEST_API_KEY),
        hashApiKey(STORED_KEY),
        'Bearer',
        'authorization',
      ];
      expect(output).not.toBe('');
      expect(secrets.filter((secret) => output.toLowerCase().includes(secret.toLowerCase()))).toEqual([]);
    },
  );

  test('leaves out the query, where a client may have put a key', async () => {
    await linesOf(`/v1/pets?api_key=${TEST_API_KEY}`);
    expect(output).toContain('"path":"/v1/pets"');
    expect(output).not.toContain(TEST_API_KEY);
  });

  test('has the cause of a 500 that the answer leaves out, under the same request id', async () => {
    const pets = app.app.get(PetsService, { strict: false });
    pets.add = () => Promise.reject(new Error('the cause of it all'));
    const lines = await linesOf('/v1/pets', REQUESTS[3]![2]);
    Reflect.deleteProperty(pets, 'add');
    expect(lines.map(({ msg, requestId }) => [msg, requestId])).toEqual([
      ['A request failed', 'the-request'],
      ['request', 'the-request'],
    ]);
    expect(lines[0]).toMatchObject({ level: 50, err: { message: 'the cause of it all' } });
    expect(lines[1]).toMatchObject({ status: 500 });
  });

  test('tells the id that the answer tells when the client gave none', async () => {
    const answer = await app.request('/v1/pets');
    await answer.text();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(linesWritten().map(({ requestId }) => requestId)).toEqual([answer.headers.get('x-request-id')]);
  });

  test('is one line whatever the address holds', async () => {
    await rawExchange(app.port, requestBytes('GET', '/%0A{"level":60,"msg":"forged"}', ['X-Request-Id: the-request']));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(linesWritten().map(({ msg }) => msg)).toEqual(['request']);
  });
});
