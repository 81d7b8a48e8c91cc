import { createServer } from 'node:net';
import { generateApiKey } from '@animal-store/auth';
import { createServerDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { listen } from '../support/listen.js';
import { useApp } from '../support/running-app.js';

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
      message: expect.stringMatching(
        /^The (?:database is not available|connection to the database was lost)/,
      ) as string,
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
