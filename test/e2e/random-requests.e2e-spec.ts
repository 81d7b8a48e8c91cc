import fc, { type Arbitrary } from 'fast-check';
import { createMigratedDatabase } from '../support/databases.js';
import { faultsOfError } from '../support/error-body.js';
import { RawConnection, requestBytes, type RawResponse } from '../support/raw-http.js';
import { TEST_API_KEY, useApp } from '../support/running-app.js';
import { withClient } from '../support/database-client.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;
const JSON_TYPE = 'Content-Type: application/json';

/** JSON that is close to a pet, and JSON that is close to nothing. */
function nearlyPets(): Arbitrary<string> {
  const values = fc.oneof(
    fc.json({ maxDepth: 3 }),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
    fc.string({ unit: 'binary', maxLength: 300 }).map((text) => JSON.stringify(text)),
    fc.constantFrom('1e999', '-0', '01', '1.', '9223372036854775807.0', '1e-400', `1${'0'.repeat(100_000)}`),
    fc.constantFrom('"\\ud800"', '"\\u0000"', '"\\x41"', '"\u0007"', '"a', "'a'", '[', '{"a":'.repeat(20_000)),
  );
  const member = fc.constantFrom('name', 'categoryId', 'status', 'id', '__proto__', 'constructor', '');
  const members = fc.array(fc.tuple(member, values), { maxLength: 5 });
  return fc.oneof(
    members.map((list) => `{${list.map(([name, value]) => `"${name}":${value}`).join(',')}}`),
    values,
  );
}

/** A part of an address, with escapes that are none. */
const parts = fc.oneof(
  fc.constantFrom('pets', '..', '.', '%00', '%', '%FF', '%2F', '1', '9223372036854775808', 'limit=1', '__proto__=1'),
  fc.stringMatching(/^[!$&'()*+,;=:@~._%0-9a-z?-]{1,20}$/),
);
const fields = fc.tuple(
  fc.constantFrom('If-None-Match', 'Range', 'Expect', 'Connection', 'Upgrade', 'X-Forwarded-Prefix', 'X-Request-Id'),
  fc.oneof(fc.stringMatching(/^[!-~]{0,40}$/), fc.constantFrom('é', '\t', 'a\u0000b', '100-continue', 'W/"x"')),
);

/** Requests with one hostile part, whole or with some bytes replaced, removed or repeated. */
function hostileRequests(): Arbitrary<Buffer> {
  const whole = fc.oneof(
    nearlyPets().map((body) =>
      requestBytes('POST', '/v1/pets', [KEY, JSON_TYPE, `Content-Length: ${Buffer.byteLength(body)}`], body),
    ),
    fc
      .tuple(fc.constantFrom('GET', 'HEAD', 'PUT', 'OPTIONS', 'TRACE'), fc.array(parts))
      .map(([method, path]) => requestBytes(method, `/v1/${path.join('/')}`, [KEY])),
    fc.array(parts).map((query) => requestBytes('GET', `/v1/pets?${query.join('&')}`, [KEY])),
    fc
      .array(fields, { minLength: 1, maxLength: 4 })
      .map((list) => requestBytes('GET', '/v1/pets', [KEY, ...list.map((field) => field.join(': '))])),
  );
  const tear = fc.tuple(fc.nat(), fc.nat({ max: 40 }), fc.uint8Array({ maxLength: 8 }));
  return fc.tuple(whole, fc.array(tear, { maxLength: 2 })).map(([text, tears]) =>
    tears.reduce((bytes, [place, length, other]) => {
      const start = place % bytes.length;
      return Buffer.concat([bytes.subarray(0, start), other, bytes.subarray(start + length)]);
    }, Buffer.from(text)),
  );
}

describe('whatever is sent', () => {
  const app = useApp(createMigratedDatabase);

  beforeAll(async () => {
    await withClient(app.database.url, (client) =>
      client.query(`alter sequence pets_id_seq restart with ${2n ** 53n + 1n}`),
    );
  });

  test('is answered by less than 500, and by the Error body if it is refused', async () => {
    const scenes = fc.array(hostileRequests(), { minLength: 1, maxLength: 100, size: 'max' });
    await fc.assert(
      fc.asyncProperty(scenes, async (all) => {
        const found = await Promise.all(all.map((bytes) => faultsOf(app.port, bytes)));
        expect(found.flat()).toEqual([]);
      }),
      { numRuns: 5 },
    );
    expect((await app.request('/v1/pets?limit=1')).status).toBe(200);
  });
});

/** What the service may not do with these bytes. A client whose request is not whole waits. */
async function faultsOf(port: number, bytes: Buffer): Promise<string[]> {
  const connection = await RawConnection.open(port);
  const sent = bytes.toString('latin1');
  const method = /^[\r\n]*(?<method>[A-Z]+) /.exec(sent)?.groups?.['method'] ?? 'GET';
  connection.send(bytes);
  let answer: RawResponse | undefined;
  do answer = await connection.response(method, 250).catch(() => undefined);
  while (answer !== undefined && answer.status < 200);
  const isIgnored = answer === undefined && connection.isClosed && !/^[\r\n]*$/.test(sent);
  connection.close();
  if (answer === undefined) return isIgnored ? [`no answer to ${JSON.stringify(sent)}`] : [];
  const faults = answer.status >= 400 && method !== 'HEAD' ? faultsOfError(answer, answer.text()) : [];
  if (answer.status >= 500) faults.push(`${answer.status} ${answer.text()}`);
  return faults.map((fault) => `${fault}: ${JSON.stringify(sent.slice(0, 5_000))}`);
}
