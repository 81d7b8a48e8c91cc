import { createMigratedDatabase } from '../support/databases.js';
import { useApp } from '../support/running-app.js';

describe('every response', () => {
  const app = useApp(createMigratedDatabase);

  beforeAll(async () => {
    await app.createPet({ name: 'Rex', categoryId: 7 });
  });

  const RESPONSES: readonly { name: string; status: number; ask: () => Promise<Response> }[] = [
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

  test.each(RESPONSES)('carries the security headers and an id of its own, as $name does', async ({ ask, status }) => {
    const [response, other] = [await ask(), await ask()];
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.stringContaining('max-age=') as string,
      'x-request-id': expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string,
    });
    expect(response.headers.get('x-request-id')).not.toBe(other.headers.get('x-request-id'));
    // What the service is made with is nobody's business.
    expect([response.headers.get('x-powered-by'), response.headers.get('server')]).toEqual([null, null]);
  });

  test.each(RESPONSES.slice(0, 7))('is for the one key alone, as $name is', async ({ ask }) => {
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
