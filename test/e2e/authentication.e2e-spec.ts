import { generateApiKey } from '@animal-store/auth';
import { createMigratedDatabase } from '../support/databases.js';
import { faultsOfError } from '../support/error-body.js';
import { RawConnection, requestBytes, type RawResponse } from '../support/raw-http.js';
import { TEST_API_KEY, useApp } from '../support/running-app.js';

const CHALLENGE = 'Bearer realm="animal-store"';
const CHALLENGE_TO_A_KEY = 'Bearer realm="animal-store", error="invalid_token"';

const WRONG_KEY = 'no-key-of-this-service';
const UNKNOWN_KEY = generateApiKey('asdev');
const MISTYPED_KEY = UNKNOWN_KEY.slice(0, -1) + (UNKNOWN_KEY.endsWith('0') ? '1' : '0');

const PATHS = [
  '/v1/pets',
  '/v1/pets?limit=0x10&stauts=sold',
  '/v1/pets/1',
  '/v1/nope',
  '/v1//pets',
  '/v1/../health/live',
  '/v1/pets/%FF',
  '/v1/%zz/pets',
  '/v1/%2e%2e/health/live',
  `/v1/pets/${'9'.repeat(12_000)}`,
  `/v1/${'a/'.repeat(6_000)}`,
  'http://localhost/v1/pets',
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'PROPFIND'];

/** Invalid credentials, as header fields or in the query, with the expected challenge. */
const CREDENTIALS: readonly { name: string; headers: readonly string[]; query?: string; challenge?: string }[] = [
  { name: 'none', headers: [], challenge: CHALLENGE },
  { name: 'an empty header', headers: ['Authorization:'] },
  { name: 'another scheme', headers: ['Authorization: Basic dXNlcjpwYXNzd29yZA=='] },
  { name: 'the key without a scheme', headers: [`Authorization: ${TEST_API_KEY}`] },
  { name: 'a wrong key', headers: [`Authorization: Bearer ${WRONG_KEY}`], challenge: CHALLENGE_TO_A_KEY },
  { name: 'an unknown key', headers: [`Authorization: Bearer ${UNKNOWN_KEY}`], challenge: CHALLENGE_TO_A_KEY },
  { name: 'a mistyped key', headers: [`Authorization: Bearer ${MISTYPED_KEY}`], challenge: CHALLENGE_TO_A_KEY },
  {
    name: 'two headers with the key',
    headers: [`Authorization: Bearer ${TEST_API_KEY}`, `Authorization: Bearer ${TEST_API_KEY}`],
    challenge: CHALLENGE_TO_A_KEY,
  },
  { name: 'the key in another header', headers: [`X-API-Key: ${TEST_API_KEY}`], challenge: CHALLENGE },
  { name: 'the key in a cookie', headers: [`Cookie: Authorization=Bearer ${TEST_API_KEY}`], challenge: CHALLENGE },
  {
    name: 'the key in the query',
    headers: [],
    query: `access_token=${TEST_API_KEY}&api_key=${TEST_API_KEY}&Authorization=Bearer%20${TEST_API_KEY}`,
    challenge: CHALLENGE,
  },
];

const JSON_TYPE = 'Content-Type: application/json';
const VALID = '{"name":"Rex","categoryId":7}';

const BODIES: readonly { name: string; headers: readonly string[]; bytes: string | Buffer }[] = [
  { name: 'a valid pet', headers: [JSON_TYPE, `Content-Length: ${VALID.length}`], bytes: VALID },
  { name: 'malformed JSON', headers: [JSON_TYPE, 'Content-Length: 8'], bytes: '{"name":' },
  { name: 'too much', headers: [JSON_TYPE, `Content-Length: ${2 * 1024 ** 2}`], bytes: 'x'.repeat(2 * 1024 ** 2) },
  { name: 'an announcement alone', headers: [JSON_TYPE, 'Content-Length: 100'], bytes: '' },
  { name: 'a beginning of chunks', headers: [JSON_TYPE, 'Transfer-Encoding: chunked'], bytes: '5\r\n{"nam\r\n' },
];

/** The differences between a response and the 401 of the contract. Empty if there are none. */
function faults(answer: RawResponse, method: string, challenge?: string): string[] {
  if (answer.status !== 401) return [`${answer.status} ${answer.text()}`];
  const { headers } = answer;
  const found = method === 'HEAD' ? [] : faultsOfError(answer, answer.text());
  if (method !== 'HEAD' && !answer.text().includes('"code":"unauthorized"')) found.push('the code is another one');
  const challenged = headers.get('www-authenticate') ?? '';
  if (![challenge ?? [CHALLENGE, CHALLENGE_TO_A_KEY]].flat().includes(challenged))
    found.push(`challenged ${challenged}`);
  if (!headers.has('x-request-id')) found.push('no request id');
  if (headers.get('x-content-type-options') !== 'nosniff') found.push('no security headers');
  for (const key of [TEST_API_KEY, WRONG_KEY, UNKNOWN_KEY, MISTYPED_KEY]) {
    if (answer.bytes.includes(key)) found.push('the key is echoed');
  }
  return found;
}

describe('without a valid key everything under /v1', () => {
  const app = useApp(createMigratedDatabase);

  test.each(CREDENTIALS)('answers 401 at every path to every method, with $name', async (credentials) => {
    const wrong: string[] = [];
    const connection = await RawConnection.open(app.port);
    for (const path of PATHS) {
      for (const method of METHODS) {
        const query = credentials.query === undefined ? '' : `${path.includes('?') ? '&' : '?'}${credentials.query}`;
        connection.send(requestBytes(method, path + query, credentials.headers));
        const found = faults(await connection.response(method), method, credentials.challenge);
        if (found.length > 0) wrong.push(`${method} ${path.slice(0, 40)}: ${found.join('; ')}`);
      }
    }
    connection.close();
    expect(wrong).toEqual([]);
  });

  test.each(BODIES)('answers 401 at once to every method that brings $name', async ({ headers, bytes }) => {
    const wrong: string[] = [];
    for (const path of ['/v1/pets', '/v1/nope']) {
      for (const method of ['POST', 'OPTIONS']) {
        for (const credentials of CREDENTIALS.slice(3, 6)) {
          const connection = await RawConnection.open(app.port);
          connection.send(requestBytes(method, path, [...credentials.headers, ...headers]));
          connection.send(bytes);
          const found = faults(await connection.response(method, 2_000), method, credentials.challenge);
          if (found.length > 0) wrong.push(`${method} ${path}, ${credentials.name}: ${found.join('; ')}`);
          connection.close();
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('is never asked for its body', async () => {
    const connection = await RawConnection.open(app.port);
    connection.send(requestBytes('POST', '/v1/pets', [JSON_TYPE, 'Expect: 100-continue', 'Content-Length: 30']));
    expect((await connection.response()).status).toBe(401);
    // Any further data from the service would arrive before the end of the connection.
    await connection.untilClosed();
    expect(connection.unread.toString()).toBe('');
  });

  test('stores nothing', async () => {
    const answer = await app.request('/v1/pets');
    expect(await answer.text()).toBe('[]');
  });
});
