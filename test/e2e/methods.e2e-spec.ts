import { createMigratedDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { rawExchange, requestBytes, type RawResponse } from '../support/raw-http.js';
import { TEST_API_KEY, useApp } from '../support/running-app.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;

describe('a method', () => {
  const app = useApp(createMigratedDatabase);

  beforeAll(async () => {
    for (const name of ['Rex', 'Tom', 'Ada']) await app.createPet({ name, categoryId: 7 });
  });

  test.each([
    ['/v1/pets', 200],
    ['/v1/pets/1', 200],
    ['/v1/pets/4', 404],
    ['/health/ready', 200],
    ['/openapi.yaml', 200],
  ])('HEAD %s has every header of the GET, and no body', async (path, status) => {
    const get = await rawExchange(app.port, requestBytes('GET', path, [KEY, 'X-Request-Id: same']));
    const head = await rawExchange(app.port, requestBytes('HEAD', path, [KEY, 'X-Request-Id: same']), 'HEAD');
    expect(head.status).toBe(status);
    expect(headersOf(head)).toEqual(headersOf(get));
    expect(Number(head.headers.get('content-length'))).toBe(get.body.length);
  });

  test.each([
    ['/v1/pets', 'GET, HEAD, POST, OPTIONS'],
    ['/v1/pets/1', 'GET, HEAD, OPTIONS'],
  ])('OPTIONS %s answers 204 with the methods that are allowed', async (path, allow) => {
    const answer = await app.request(path, { method: 'OPTIONS' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(answer.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(allow.split(', ')));
  });

  test.each([
    ['PUT', '/v1/pets', 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/v1/pets/1', 'GET, HEAD, OPTIONS'],
    ['POST', '/openapi.json', 'GET, HEAD, OPTIONS'],
  ])('%s is 405 at %s, with the methods that are allowed, %s among them', async (method, path, ours) => {
    const answer = await app.request(path, { method });
    const allow = answer.headers.get('allow') ?? '';
    expect(await readError(answer)).toEqual({
      code: 'method_not_allowed',
      message: `${method} is not allowed at this address: use one of ${allow}`,
      status: 405,
    });
    expect(allow.split(', ')).toEqual(expect.arrayContaining(ours.split(', ')));
  });
});

/** The header fields without `date`. */
function headersOf({ headers }: RawResponse): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name !== 'date'));
}
