import { createMigratedDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { useApp } from '../support/running-app.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const TEXT_TYPE = { 'content-type': 'text/plain' };

describe('the checks of a request', () => {
  const app = useApp(createMigratedDatabase);

  const REFUSED: readonly [string, string, string, Record<string, string>, string, number, string][] = [
    ['an unknown address with a text', 'POST', '/v1/nowhere', TEXT_TYPE, 'x', 404, 'There is nothing at this address'],
    ['an unknown address with broken JSON', 'POST', '/v1/nowhere?a=1', JSON_TYPE, '{', 404, 'There is nothing'],
    ['a wrong method with a text', 'PUT', '/v1/pets', TEXT_TYPE, 'x', 405, 'PUT is not allowed'],
    ['a wrong method with broken JSON', 'PUT', '/v1/pets?a=1', JSON_TYPE, '{', 405, 'PUT is not allowed'],
    ['a wrong method with a large body', 'PUT', '/v1/pets', JSON_TYPE, ' '.repeat(200_000), 405, 'PUT is not allowed'],
    ['an unknown parameter with a text', 'POST', '/v1/pets?x=1', TEXT_TYPE, 'x', 400, 'unknown query parameter "x"'],
    ['an unknown parameter with broken JSON', 'POST', '/v1/pets?x=1', JSON_TYPE, '{', 400, 'unknown query parameter'],
    ['a text', 'POST', '/v1/pets', TEXT_TYPE, 'x', 415, 'The body must be JSON in UTF-8'],
    ['a large body', 'POST', '/v1/pets', JSON_TYPE, ' '.repeat(200_000), 413, 'The body is larger than 102400 bytes'],
    ['broken JSON', 'POST', '/v1/pets', JSON_TYPE, '{', 400, 'The body is not valid JSON'],
  ];

  test.each(REFUSED)(
    'come in the order key, address and method, query, body: %s',
    async (_what, method, path, headers, body, status, message) => {
      const refused = await readError(await app.request(path, { method, headers, body }));
      expect(refused.status).toBe(status);
      expect(refused.message).toContain(message);
      const stranger = await app.request(path, { method, headers, body, key: null });
      expect((await readError(stranger)).status).toBe(401);
    },
  );
});
