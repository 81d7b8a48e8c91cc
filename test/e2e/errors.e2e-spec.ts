import { createServer } from 'node:net';
import { generateApiKey } from '@animal-store/auth';
import pg from 'pg';
import { createMigratedDatabase, createServerDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { listen } from '../support/listen.js';
import '../support/one-realm.js';
import { useApp } from '../support/running-app.js';

const NOTHING_HERE = {
  code: 'not_found',
  message: 'There is nothing at this address: /docs shows all addresses',
  status: 404,
};

describe('an error', () => {
  const app = useApp(createMigratedDatabase);

  test.each(['/v1', '/v1/pets/1/toys', `/v1/pets${'/'.repeat(1_000)}`])(
    'is 404 at %s, where there is nothing',
    async (path) => {
      expect(await readError(await app.request(path))).toEqual(NOTHING_HERE);
    },
  );

  test.each(['/', '/V1/cats', '/health/', '/metrics', '/%zz/x', '/docs/..%2f..%2fpackage.json'])(
    'is 404 at %s, outside of /v1, without a key',
    async (path) => {
      expect(await readError(await app.request(path, { key: null }))).toEqual(NOTHING_HERE);
    },
  );

  test.each(['/pets', '/V1/Pets', '/v1/pets/', '/v1/pet', '/v1//pets', '/v1/v1/pets', '/api/v1/pets', '//v1/pets'])(
    'is 404 at %s, and asks for the address that was meant',
    async (path) => {
      const message = 'There is nothing at this address: did you mean /v1/pets?';
      const error = await readError(await app.request(path));
      expect(error).toEqual({ ...NOTHING_HERE, message });
    },
  );

  test.each([
    ['PUT', '/v1/pets', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/v1/pets/1', 'GET, HEAD, OPTIONS'],
    ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
  ])('is 405 to %s at %s, with the methods that are allowed, %s among them', async (method, path, ours) => {
    const answer = await app.request(path, { method });
    const allow = answer.headers.get('allow') ?? '';
    expect(await readError(answer)).toEqual({
      code: 'method_not_allowed',
      message: `${method} is not allowed at this address: use one of ${allow}`,
      status: 405,
    });
    expect(allow.split(', ')).toEqual(expect.arrayContaining(ours.split(', ')));
  });

  test('is 500 without a word of SQL when the database refuses a statement', async () => {
    const client = new pg.Client({ connectionString: app.database.url });
    await client.connect();
    await client.query('alter table pets rename column id to secret');
    const answer = await app.request('/v1/pets');
    await client.query('alter table pets rename column secret to id');
    await client.end();
    expect(await readError(answer)).toEqual({
      code: 'internal_error',
      message: 'The service failed to handle the request: report the X-Request-Id of this response',
      status: 500,
    });
  });
});

describe('every answer', () => {
  const app = useApp(createMigratedDatabase);

  beforeAll(async () => {
    await app.createPet({ name: 'Rex', categoryId: 7 });
  });

  const ANSWERS: readonly { name: string; status: number; ask: () => Promise<Response> }[] = [
    { name: '200 with a pet', status: 200, ask: () => app.request('/v1/pets/1') },
    { name: '201', status: 201, ask: () => app.createPet({ name: 'Rex', categoryId: 7 }) },
    { name: '204', status: 204, ask: () => app.request('/v1/pets', { method: 'OPTIONS' }) },
    { name: '304', status: 304, ask: () => app.request('/v1/pets/1', { headers: { 'if-none-match': '*' } }) },
    { name: '401', status: 401, ask: () => app.request('/v1/pets', { key: null }) },
    { name: '404 of an address', status: 404, ask: () => app.request('/nope') },
    { name: '415', status: 415, ask: () => app.request('/v1/pets', { method: 'POST', body: 'x' }) },
    { name: 'health', status: 200, ask: () => app.request('/health/live') },
    { name: 'the documentation', status: 200, ask: () => app.request('/docs/') },
  ];

  test.each(ANSWERS)('carries the security headers and an id of its own, as $name does', async ({ ask, status }) => {
    const [answer, other] = [await ask(), await ask()];
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': expect.stringContaining('max-age=') as string,
      'x-frame-options': expect.stringMatching(/^(?:DENY|SAMEORIGIN)$/) as string,
      'x-request-id': expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string,
    });
    expect(answer.headers.get('x-request-id')).not.toBe(other.headers.get('x-request-id'));
    // What the service is made with is nobody's business.
    expect([answer.headers.get('x-powered-by'), answer.headers.get('server')]).toEqual([null, null]);
  });

  test.each(ANSWERS.slice(0, 7))('is for the one key alone, as $name is', async ({ ask }) => {
    const { headers } = await ask();
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['private, no-cache', 'Authorization']);
  });

  test('takes over a sane request id, also where it refuses, and no other', async () => {
    const ask = async (path: string, id: string, key?: null) => {
      const { headers } = await app.request(path, { headers: { 'x-request-id': id }, ...(key === null && { key }) });
      return headers.get('x-request-id');
    };
    const ids = [
      await ask('/v1/pets', 'sane'),
      await ask('/v1/pets', 'sane', null),
      await ask('/openapi.json', 'sane'),
    ];
    expect(ids).toEqual(['sane', 'sane', 'sane']);
    expect(await ask('/v1/pets', '<script>')).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

const UNAVAILABLE = {
  code: 'service_unavailable',
  message: 'The database is not available at the moment: try again later',
  status: 503,
};

describe.each([
  { name: 'nobody listens at its address', refuses: true },
  { name: 'its server hangs up', refuses: false },
])('while the database is away, as $name,', ({ refuses }) => {
  const app = useApp(async () => {
    const nobody = createServer((socket) => socket.end());
    const port = await listen(nobody);
    if (refuses) nobody.close();
    return {
      environment: { DATABASE_URL: `postgresql://user:secret@127.0.0.1:${port}/test` },
      remove: () => {
        nobody.close();
        return Promise.resolve();
      },
    };
  });

  test.each([
    ['GET', '/v1/pets', null],
    ['GET', '/v1/pets/1', null],
    ['POST', '/v1/pets', '{"name":"Rex","categoryId":7}'],
  ])('%s %s answers 503 and when to try again', async (method, path, body) => {
    const answer = await app.request(path, { method, headers: { 'content-type': 'application/json' }, body });
    expect(await readError(answer)).toMatchObject({
      code: 'service_unavailable',
      message: expect.stringMatching(/^The database (?:is not available|went away)/) as string,
    });
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
  });

  test('a key that must be looked up answers 503 and not 401', async () => {
    const answer = await app.request('/v1/pets', { key: generateApiKey('test') });
    expect(await readError(answer)).toEqual(UNAVAILABLE);
  });

  test('what needs no database is answered as ever', async () => {
    const statuses = [
      await app.request('/v1/pets', { key: null }),
      await app.request('/v1/pets?limit=0'),
      await app.request('/v1/pets/abc'),
      await app.request('/v1/nope'),
      await app.request('/health/live'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([401, 400, 404, 404, 200]);
  });

  test('readiness is down, and says no more', async () => {
    const answer = await app.request('/health/ready', { key: null });
    expect(await readError(answer)).toEqual({ code: 'service_unavailable', message: 'down', status: 503 });
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9][0-9]*$/);
  });
});

describe('while a migration is pending', () => {
  const app = useApp(createServerDatabase);

  test('operations answer 503', async () => {
    expect(await readError(await app.request('/v1/pets'))).toEqual(UNAVAILABLE);
  });
});
