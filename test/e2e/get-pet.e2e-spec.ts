import { createMigratedDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { useApp } from '../support/running-app.js';

describe('getPet', () => {
  const app = useApp(createMigratedDatabase);

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

  test.each(['2', '9223372036854775807', '-9223372036854775808'])(
    'answers 404 for %s, which no animal has',
    async (id) => {
      expect(await readError(await app.request(`/v1/pets/${id}`))).toEqual({
        code: 'not_found',
        message: `There is no animal with the id ${id}`,
        status: 404,
      });
    },
  );

  test.each(['01', '9223372036854775808', '%FF', '%zz', '1%2F2', '9'.repeat(5_000)])(
    'answers 404 for %s, which is no id',
    async (text) => {
      const { code, status } = await readError(await app.request(`/v1/pets/${text}`));
      expect([code, status]).toEqual(['not_found', 404]);
    },
  );

  test.each([
    ['200', 200, '/v1/pets/1', {}],
    ['304', 304, '/v1/pets/1', { headers: { 'if-none-match': '*' } }],
    ['401', 401, '/v1/pets/1', { key: null }],
    ['404', 404, '/v1/pets/12345', {}],
    ['404 for what is no id', 404, '/v1/pets/abc', {}],
    ['200 to HEAD', 200, '/v1/pets/1', { method: 'HEAD' }],
  ])('announces its removal with every %s', async (_name, status, path, options) => {
    const { headers, status: answered } = await app.request(path, options);
    expect(answered).toBe(status);
    expect(headers.get('deprecation')).toMatch(/^@[0-9]{10}$/);
    expect(headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
    expect(headers.get('link')).toBe('</v1/pets>; rel="successor-version"');
  });
});
