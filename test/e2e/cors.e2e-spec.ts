import { createMigratedDatabase } from '../support/databases.js';
import { useApp } from '../support/running-app.js';

describe('without CORS_ORIGINS', () => {
  const app = useApp(createMigratedDatabase);

  test('no response opens the service to the pages of other origins', async () => {
    const headers = { origin: 'https://shop.example', 'access-control-request-method': 'GET' };
    const responses = [
      await app.request('/v1/pets', { headers }),
      await app.request('/v1/pets', { method: 'OPTIONS', headers }),
      await app.request('/health/live', { headers }),
    ];
    const names = responses.flatMap((response) =>
      [...response.headers.keys()].filter((name) => name.startsWith('access-control')),
    );
    expect(names).toEqual([]);
  });
});

describe('with CORS_ORIGINS', () => {
  const ORIGIN = 'https://shop.example';

  const app = useApp(createMigratedDatabase, { CORS_ORIGINS: `${ORIGIN}, https://admin.example:8443` });

  test.each([ORIGIN, 'https://admin.example:8443'])('a preflight from %s passes without a key', async (origin) => {
    const response = await app.request('/v1/pets', {
      method: 'OPTIONS',
      key: null,
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': expect.stringContaining('POST') as string,
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': expect.stringMatching(/^[0-9]+$/) as string,
      vary: expect.stringContaining('Origin') as string,
    });
  });

  test.each(['https://shop.example.evil.example', 'null'])(
    'a page of %s is let in neither by the preflight nor by the response',
    async (origin) => {
      const headers = { origin, 'access-control-request-method': 'GET' };
      const responses = [
        await app.request('/v1/pets', { method: 'OPTIONS', key: null, headers }),
        await app.request('/v1/pets', { headers: { origin } }),
      ];
      expect(responses.map((response) => response.headers.get('access-control-allow-origin'))).toEqual([null, null]);
    },
  );

  test('a page may read its responses, refusals too, with the header fields of the contract, but sends no cookies', async () => {
    const response = await app.request('/v1/pets', { key: null, headers: { origin: ORIGIN } });
    const listed = (name: string) => response.headers.get(name)?.split(/, */) ?? [];
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, ORIGIN]);
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(listed('vary')).toEqual(expect.arrayContaining(['Origin', 'Authorization']));
    expect(listed('access-control-expose-headers')).toEqual(
      expect.arrayContaining([
        ...['Allow', 'Deprecation', 'ETag', 'Idempotent-Replayed', 'Link', 'Location'],
        ...['RateLimit', 'RateLimit-Policy', 'Retry-After', 'Sunset', 'WWW-Authenticate', 'X-Request-Id'],
      ]),
    );
  });
});
