import pg from 'pg';
import { createMigratedDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { useApp } from '../support/running-app.js';

const NOTHING_HERE = { code: 'not_found', message: 'There is nothing at this address', status: 404 };

describe('an error', () => {
  const app = useApp(createMigratedDatabase);

  test.each(['/v1', '/v1/pets/', '/v1//pets', '/v1/Pets', '/v1/pets/1/toys', `/v1/pets${'/'.repeat(1_000)}`])(
    'is 404 at %s, where there is nothing',
    async (path) => {
      expect(await readError(await app.request(path))).toEqual(NOTHING_HERE);
    },
  );

  test.each([
    '/',
    '/pets',
    '/V1/Pets',
    '/api/v1/pets',
    '//v1/pets',
    '/health/',
    '/metrics',
    '/%zz/x',
    '/docs/..%2f..%2fpackage.json',
  ])('is 404 at %s, outside of /v1, without a key', async (path) => {
    expect(await readError(await app.request(path, { key: null }))).toEqual(NOTHING_HERE);
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
