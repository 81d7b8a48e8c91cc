import fc from 'fast-check';
import { createMigratedDatabase, DATABASES } from '../support/databases.js';
import { faultsOfError } from '../support/error-body.js';
import { RawConnection, requestBytes, type RawAnswer } from '../support/raw-http.js';
import { TEST_API_KEY, useApp } from '../support/running-app.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;

/** Runs are few, so that the whole stays quick; raise it to hunt. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 100);

describe('whatever a client sends with a valid key', () => {
  const app = useApp(createMigratedDatabase);

  /** What keeps an answer from being one that the service may give; empty when it is. */
  function faults(answer: RawAnswer, method: string): string[] {
    const { status, headers } = answer;
    if (status >= 500) return [`${status} ${answer.text()}`];
    if (status === 204 || status === 304 || method === 'HEAD') return [];
    if (status >= 400) return faultsOfError(answer, answer.text());
    JSON.parse(answer.text());
    return headers.get('content-type') === 'application/json'
      ? []
      : [`the type is ${headers.get('content-type') ?? 'missing'}`];
  }

  async function send(bytes: string | Buffer, method: string): Promise<string[]> {
    const connection = await RawConnection.open(app.port);
    connection.send(bytes);
    const answer = await connection.answer(method);
    connection.close();
    return faults(answer, method);
  }

  function withBody(headers: readonly string[], body: Uint8Array): Buffer {
    return Buffer.concat([
      Buffer.from(requestBytes('POST', '/v1/pets', [KEY, ...headers, `Content-Length: ${body.length}`])),
      body,
    ]);
  }

  test('as a body of arbitrary JSON, it gets JSON and no 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 4 }), async (body) => {
        expect(await send(withBody(['Content-Type: application/json'], Buffer.from(body)), 'POST')).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('as a body that is nearly an animal, it gets JSON and no 5xx', async () => {
    const member = fc.oneof(
      fc.json({ maxDepth: 1 }),
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.string({ unit: 'binary', maxLength: 300 }).map((text) => JSON.stringify(text)),
      fc.constantFrom('"sold"', 'null', '1e999', '-0', '"\\ud800"', '"\\u0000"', '1.0000000000000000000000001'),
    );
    const name = fc.oneof(
      fc.constantFrom('name', 'categoryId', 'status', 'id', '__proto__', 'constructor', ''),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, member), { maxLength: 6 }), async (members) => {
        const body = `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
        expect(await send(withBody(['Content-Type: application/json'], Buffer.from(body)), 'POST')).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('as a body of arbitrary bytes in any type and encoding, it gets JSON and no 5xx', async () => {
    const type = fc.constantFrom(
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      '',
      ';',
      'application/json; charset=',
    );
    const encoding = fc.constantFrom('identity', 'gzip', 'deflate', 'br', 'zstd', '');
    await fc.assert(
      fc.asyncProperty(
        type,
        encoding,
        fc.uint8Array({ maxLength: 200 }),
        async (contentType, contentEncoding, body) => {
          const headers = [`Content-Type: ${contentType}`, `Content-Encoding: ${contentEncoding}`];
          expect(await send(withBody(headers, body), 'POST')).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('as a query, it gets JSON and no 5xx', async () => {
    const name = fc.oneof(fc.constantFrom('limit', 'status', 'cursor'), fc.string({ unit: 'binary', maxLength: 20 }));
    const value = fc.oneof(
      fc.integer().map(String),
      fc.constantFrom('sold', '%FF', '%'),
      fc.string({ unit: 'binary', maxLength: 60 }),
    );
    const query = fc.array(fc.tuple(name, value), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(query, async (parameters) => {
        const text = parameters.map(([key, given]) => `${escape(key)}=${escape(given)}`).join('&');
        expect(await send(requestBytes('GET', `/v1/pets?${text}`, [KEY]), 'GET')).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test('as a path, to any method, it gets JSON and no 5xx', async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        'pets',
        'v1',
        '..',
        '.',
        '%2e%2e',
        '%00',
        '%',
        '%FF',
        '%2F',
        '',
        '1',
        '-1',
        '9223372036854775808',
      ),
      fc.string({ unit: 'binary', maxLength: 30 }).map(escape),
      fc.stringMatching(/^[!$&'()*+,;=:@~._%0-9a-z-]{0,20}$/),
    );
    const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('/v1/pets/', '/v1/', '/'),
        fc.array(segment, { maxLength: 4 }),
        method,
        async (base, segments, used) => {
          // The pages of the documentation are no JSON, and are meant to be none.
          fc.pre(!/^\/(?:docs|openapi)/.test(base + segments.join('/')));
          expect(await send(requestBytes(used, base + segments.join('/'), [KEY]), used)).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('as a header field, it gets JSON and no 5xx', async () => {
    const name = fc.constantFrom(
      'Accept',
      'Accept-Encoding',
      'Accept-Language',
      'Cookie',
      'If-None-Match',
      'If-Match',
      'If-Modified-Since',
      'Range',
      'Origin',
      'Prefer',
      'X-Request-Id',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-HTTP-Method-Override',
      'Access-Control-Request-Method',
      'Expect',
      'Forwarded',
    );
    const value = fc.oneof(fc.stringMatching(/^[!-~]{0,60}$/), fc.stringMatching(/^[\u0080-\u00ff]{1,20}$/));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('/v1/pets', '/v1/pets/1', '/v1/nope'),
        name,
        value,
        async (path, field, given) => {
          fc.pre(!(field === 'Expect' && given === '100-continue'));
          const bytes = Buffer.from(requestBytes('GET', path, [KEY, `${field}: ${given}`]), 'latin1');
          expect(await send(bytes, 'GET')).toEqual([]);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe.each(DATABASES)('any valid animal on $name', ({ create }) => {
  const app = useApp(create);

  test('is answered, stored and read as it was sent', async () => {
    const name = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 255 })
      .filter((text) => /\S/u.test(text) && !text.includes('\0') && Array.from(text).length <= 255);
    const categoryId = fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.constantFrom(0n, 2n ** 63n - 1n, -(2n ** 63n)),
    );
    const status = fc.constantFrom('available', 'pending', 'sold', undefined);
    await fc.assert(
      fc.asyncProperty(name, categoryId, status, async (sentName, sentCategory, sentStatus) => {
        const members = [`"name":${JSON.stringify(sentName)}`, `"categoryId":${sentCategory}`];
        if (sentStatus !== undefined) members.push(`"status":"${sentStatus}"`);
        const created = await app.request('/v1/pets', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: `{${members.join(',')}}`,
        });
        const text = await created.text();
        const read = await app.request(created.headers.get('location')!);
        expect(await read.text()).toBe(text);
        expect(text).toContain(`"categoryId":${sentCategory},`);
        expect(JSON.parse(text)).toMatchObject({ name: sentName, status: sentStatus ?? 'available' });
      }),
      { numRuns: RUNS },
    );
  });
});

/** Percent-encodes every byte that a request line can't hold as it is, and leaves escapes alone. */
function escape(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) =>
      /[!$'()*,;:@~._%0-9A-Za-z-]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');
}
