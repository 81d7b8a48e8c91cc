import { DATABASES } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { useApp } from '../support/running-app.js';

describe.each(DATABASES)('getPet on $name', ({ create }) => {
  const app = useApp(create);

  beforeAll(async () => {
    await app.createPet({ name: 'Rex', categoryId: 7, status: 'sold' });
  });

  test('answers the pet', async () => {
    const answer = await app.request('/v1/pets/1');
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'application/json',
      '{"id":1,"name":"Rex","categoryId":7,"status":"sold"}',
    ]);
  });

  test('answers the pet at its id in an escape, which is the same address', async () => {
    const answer = await app.request('/v1/pets/%31');
    expect(await answer.text()).toBe('{"id":1,"name":"Rex","categoryId":7,"status":"sold"}');
  });

  test.each(['0', '2', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808'])(
    'answers 404 for %s, which no animal has',
    async (id) => {
      expect(await readError(await app.request(`/v1/pets/${id}`))).toEqual({
        code: 'not_found',
        message: `There is no animal with the id ${id}`,
        status: 404,
      });
    },
  );

  test.each([
    '01',
    '001',
    '+1',
    '%2B1',
    '1.0',
    '1.',
    '1e0',
    '10e-1',
    '0x1',
    '0b1',
    '1n',
    '1_0',
    '%201',
    '1%20',
    '1%0A',
    '1%00',
    '-0',
    '--1',
    '1,1',
    '1;1',
    '9223372036854775808',
    '-9223372036854775809',
    '18446744073709551617',
    '10000000000000000000000001',
    'abc',
    'null',
    'NaN',
    '%D9%A1',
    '%EF%BC%91',
    '%FF',
    '%',
    '%zz',
    '1%2F',
    '1%2F2',
    '%2F',
    '..%2f1',
    "1'",
    '1%20or%201=1',
    '*',
    '__proto__',
    'constructor',
    '9'.repeat(5_000),
  ])('answers 404 for %s, which is no id', async (text) => {
    const { code, status } = await readError(await app.request(`/v1/pets/${text}`));
    expect([code, status]).toEqual(['not_found', 404]);
  });

  test('answers 304 to a client that holds the pet', async () => {
    const tag = (await app.request('/v1/pets/1')).headers.get('etag')!;
    const answer = await app.request('/v1/pets/1', { headers: { 'if-none-match': tag } });
    expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', tag]);
  });

  test('answers 200 to a client that holds another pet', async () => {
    await app.createPet({ name: 'Tom', categoryId: 7 });
    const tag = (await app.request('/v1/pets/2')).headers.get('etag')!;
    expect((await app.request('/v1/pets/1', { headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  test.each([
    ['200', 200, '/v1/pets/1', {}],
    ['304', 304, '/v1/pets/1', { headers: { 'if-none-match': '*' } }],
    ['401', 401, '/v1/pets/1', { key: null }],
    ['401 for a wrong key', 401, '/v1/pets/1', { key: 'no-key-of-this-service' }],
    ['404', 404, '/v1/pets/12345', {}],
    ['404 for what is no id', 404, '/v1/pets/abc', {}],
    ['404 for a broken escape', 404, '/v1/pets/%FF', {}],
    ['200 to HEAD', 200, '/v1/pets/1', { method: 'HEAD' }],
  ])('announces its removal with every %s', async (_name, status, path, options) => {
    const { headers, status: answered } = await app.request(path, options);
    expect(answered).toBe(status);
    expect(headers.get('deprecation')).toMatch(/^@[0-9]{10}$/);
    expect(headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
    expect(headers.get('link')).toBe('</v1/pets>; rel="successor-version"');
  });

  test('is deprecated since a day before its removal that has come', async () => {
    const { headers } = await app.request('/v1/pets/1');
    const since = Number(headers.get('deprecation')?.slice(1)) * 1000;
    expect(since).toBeGreaterThan(Date.UTC(2020, 0, 1));
    expect(since).toBeLessThan(Date.parse(headers.get('sunset') ?? ''));
  });

  test.each(['/v1/pets', '/v1/nope', '/v1/pets/1/toys', '/health/live'])(
    'leaves %s without such an announcement',
    async (path) => {
      const { headers } = await app.request(path);
      expect([headers.get('deprecation'), headers.get('sunset')]).toEqual([null, null]);
    },
  );

  test('is no part of what createPet announces', async () => {
    const { headers } = await app.createPet({ name: 'Rex', categoryId: 7 });
    expect([headers.get('deprecation'), headers.get('sunset'), headers.get('link')]).toEqual([null, null, null]);
  });
});
