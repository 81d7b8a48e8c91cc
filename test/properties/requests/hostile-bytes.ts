import fc, { type Arbitrary } from 'fast-check';
import { TEST_API_KEY } from '../../support/test-api-key.js';
import { authorizedBy, bytesOf, type HttpRequest } from '../http-request.js';
import type { Description } from './described-operations.js';
import { exampleDraft } from './draft.js';

/** The bytes that an attacker sends on one connection, in the packets in which they are sent. */
export interface HostileBytes {
  readonly packets: readonly Buffer[];
}

type Fields = HttpRequest['fields'];

const KEY = authorizedBy(TEST_API_KEY);
const JSON_TYPE = ['Content-Type', 'application/json'] as const;

/** Requests for the operations of a document and for other addresses, with hostile parts, or mutilated. */
export function hostileBytes(description: Description): Arbitrary<HostileBytes> {
  const usual = fc.constantFrom(...description.operations.map((described) => exampleDraft(description, described)));
  const requests = usual.map((draft) => {
    const ids = new Map(draft.references.map((reference) => [reference, 1n]));
    return draft.request(ids);
  });
  const whole = fc.oneof(
    hostileBodies(requests),
    hostileTargets(requests),
    hostileFields(requests),
    requests.map(bytesOf),
  );
  const bytes = fc.oneof(
    { weight: 6, arbitrary: whole },
    { weight: 4, arbitrary: torn(fc.oneof(whole, requests.map(bytesOf))) },
    { weight: 1, arbitrary: fc.array(whole, { minLength: 2, maxLength: 4 }).map((many) => Buffer.concat(many)) },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 300 }).map((random) => Buffer.from(random)) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1 }).map((text) => Buffer.from(`${text}\r\n\r\n`)) },
  );
  return fc.tuple(bytes, fc.array(fc.nat(), { maxLength: 3 })).map(([all, places]) => ({ packets: cut(all, places) }));
}

/** JSON texts that are hard to parse, or whose meaning no schema allows. */
function hostileJson(): Arbitrary<string> {
  const deep = fc
    .tuple(fc.constantFrom('[', '{"a":', '[{"a":', '"', '\\u'), fc.constantFrom(10, 1_000, 20_000, 200_000))
    .map(([part, times]) => part.repeat(times));
  const numbers = fc.oneof(
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
    fc.double().map(String),
    fc.constantFrom(
      '1e999',
      '-0',
      '-',
      '01',
      '1.',
      '.5',
      '1e',
      '1E+308',
      '0x10',
      '1_0',
      'NaN',
      `1${'0'.repeat(100_000)}`,
    ),
    fc.constantFrom('1.0000000000000000000000001', '9007199254740993', '9223372036854775807.0', '1e-400', '92e17'),
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }).map((text) => JSON.stringify(text)),
    fc.constantFrom('"\\ud800"', '"\\udc00\\ud800"', '"\\u0000"', '"\\x41"', '"\u0007"', "'a'", '"\ufeff"', '"a'),
    fc.constantFrom('sold', 'available', 'Sold').map((text) => JSON.stringify(text)),
  );
  const names = fc.oneof(
    fc.constantFrom('name', 'categoryId', 'status', 'id', '__proto__', 'constructor', 'toString', 'length', ''),
    fc.string(),
  );
  const parts = fc.oneof(fc.json({ maxDepth: 4 }), numbers, texts);
  const members = fc
    .array(fc.tuple(names, parts), { maxLength: 6 })
    .map((list) => `{${list.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`);
  return fc.oneof(
    { weight: 6, arbitrary: members },
    { weight: 2, arbitrary: parts },
    { weight: 1, arbitrary: deep },
    { weight: 1, arbitrary: fc.array(parts, { maxLength: 50 }).map((list) => `[${list.join(',')}]`) },
  );
}

function hostileBodies(requests: Arbitrary<HttpRequest>): Arbitrary<Buffer> {
  const contents = fc.oneof(
    { weight: 4, arbitrary: hostileJson().map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: hostileJson().map((text) => Buffer.from(text, 'utf16le')) },
    { weight: 1, arbitrary: hostileJson().map((text) => Buffer.from(`\ufeff${text}`)) },
    // Halves of surrogate pairs, overlong forms and values beyond Unicode, in the form of UTF-8.
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('eda080', 'c080', 'f4908080', 'ff', 'e282', 'efbfbe')
        .map((hex) =>
          Buffer.concat([Buffer.from('{"name":"'), Buffer.from(hex, 'hex'), Buffer.from('","categoryId":1}')]),
        ),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  );
  const encodings = fc
    .constantFrom(...ENCODINGS)
    .map((encoding): Fields => (encoding === '' ? [] : [['Content-Encoding', encoding]]));
  const types = fc.constantFrom<Fields>(
    ...[[JSON_TYPE], [JSON_TYPE], [JSON_TYPE], [], [JSON_TYPE, JSON_TYPE]],
    ...[
      '',
      ';',
      'application/json; charset=',
      'application/json; charset=utf-16',
      'text/plain',
      '*/*',
      'multipart/form-data; boundary=x',
    ].map((type): Fields => [['Content-Type', type]]),
  );
  return fc
    .tuple(requests, contents, encodings, types, fc.constantFrom(...FRAMINGS))
    .map(([{ method, target }, body, encoding, type, frame]) =>
      frame({ method, target, fields: [KEY, ...type, ...encoding], body }),
    );
}

/** The service inflates no body: a name of an encoding is all that can be hostile. */
const ENCODINGS = ['', '', '', '', '', '', 'gzip', 'zstd', 'identity', '\u00ff'];

type Framing = (request: HttpRequest & { readonly body: Buffer }) => Buffer;

/** Ways to send the length of a body; the later ones are wrong. */
const FRAMINGS: readonly Framing[] = [
  bytesOf,
  bytesOf,
  bytesOf,
  ({ body, ...request }) => Buffer.concat([headOf(request, ['Transfer-Encoding', 'chunked']), chunksOf(body)]),
  ({ body, ...request }) =>
    Buffer.concat([headOf(request, ['Transfer-Encoding', 'chunked']), chunksOf(body).subarray(0, -3)]),
  ({ body, ...request }) =>
    Buffer.concat([headOf(request, ['Content-Length', '5'], ['Transfer-Encoding', 'chunked']), chunksOf(body)]),
  ({ body, ...request }) => Buffer.concat([headOf(request, ['Transfer-Encoding', 'gzip, chunked']), chunksOf(body)]),
  ({ body, ...request }) => Buffer.concat([headOf(request, ['Content-Length', `+${body.length}`]), body]),
  ({ body, ...request }) => Buffer.concat([headOf(request, ['Content-Length', String(body.length + 1)]), body]),
  ({ body, ...request }) => Buffer.concat([headOf(request, ['Content-Length', '99999999999999999999']), body]),
  ({ body, ...request }) =>
    Buffer.concat([headOf(request, ['Content-Length', String(body.length)], ['Expect', '100-continue']), body]),
];

function headOf({ fields, ...request }: HttpRequest, ...more: Fields): Buffer {
  return bytesOf({ ...request, fields: [...fields, ...more] });
}

function chunksOf(body: Buffer): Buffer {
  const middle = body.length >> 1;
  const chunks = [body.subarray(0, middle), body.subarray(middle)].filter(({ length }) => length > 0);
  const framed = chunks.flatMap((chunk) => [
    Buffer.from(`${chunk.length.toString(16)}\r\n`),
    chunk,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...framed, Buffer.from('0\r\n\r\n')]);
}

function hostileTargets(requests: Arbitrary<HttpRequest>): Arbitrary<Buffer> {
  const segment = fc.oneof(
    fc.constantFrom('pets', 'v1', '..', '.', '%2e%2e', '%00', '%', '%FF', '%2F', '', '1', '-1', '9223372036854775808'),
    fc.string({ unit: 'binary', maxLength: 30 }).map(escape),
    fc.stringMatching(/^[!$&'()*+,;=:@~._%0-9a-z-]{0,20}$/),
  );
  const path = fc
    .tuple(fc.constantFrom('/v1/pets/', '/v1/', '/', '//', 'http://localhost/v1/'), fc.array(segment, { maxLength: 4 }))
    .map(([base, segments]) => base + segments.join('/'));
  const value = fc.oneof(
    fc.integer().map(String),
    fc.constantFrom('sold', '%FF', '%', '%00', '%ED%A0%80', 'x'.repeat(5_000)),
    fc.string({ unit: 'binary', maxLength: 60 }).map(escape),
  );
  const name = fc.oneof(
    fc.constantFrom('limit', 'status', 'cursor', '__proto__', 'limit[]', 'limit[0][a]'),
    fc.string({ unit: 'binary', maxLength: 20 }).map(escape),
  );
  const query = fc
    .array(fc.tuple(name, value), { minLength: 1, maxLength: 4 })
    .map((pairs) => pairs.map(([key, given]) => `${key}=${given}`).join('&'));
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE');
  return fc.oneof(
    fc.tuple(method, path).map(([used, target]) => bytesOf({ method: used, target, fields: [KEY] })),
    fc.tuple(requests, query).map(([request, text]) => bytesOf({ ...request, target: `${request.target}?${text}` })),
  );
}

const FIELDS = [
  ...[
    'Accept',
    'Accept-Encoding',
    'Accept-Language',
    'Cookie',
    'If-None-Match',
    'If-Match',
    'If-Modified-Since',
    'Range',
  ],
  ...['Origin', 'Prefer', 'X-Request-Id', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Prefix', 'Forwarded'],
  ...[
    'X-HTTP-Method-Override',
    'Access-Control-Request-Method',
    'Expect',
    'Connection',
    'Upgrade',
    'Host',
    'TE',
    'Trailer',
  ],
  ...['Idempotency-Key', 'Authorization', 'Content-Type', 'Content-Length', 'traceparent', 'baggage'],
];

function hostileFields(requests: Arbitrary<HttpRequest>): Arbitrary<Buffer> {
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...FIELDS) },
    fc.stringMatching(/^[!#-'*+.^_`|~0-9A-Za-z-]{1,30}$/),
  );
  const value = fc.oneof(
    fc.stringMatching(/^[!-~]{0,60}$/),
    fc.stringMatching(/^[\u0080-\u00ff]{1,20}$/),
    fc.constantFrom(
      '',
      ' ',
      '\t',
      ',',
      '"',
      'x'.repeat(7_000),
      'a\u0000b',
      'a\rb',
      '*',
      'W/"x"',
      '100-continue',
      'close, upgrade',
    ),
  );
  return fc
    .tuple(requests, fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 5 }))
    .map(([request, fields]) => bytesOf({ ...request, fields: [...request.fields, ...fields] }));
}

/** Bytes in which some were changed, removed, repeated or inserted. */
function torn(whole: Arbitrary<Buffer>): Arbitrary<Buffer> {
  const tear = fc.record({
    kind: fc.constantFrom('change', 'drop', 'repeat', 'insert', 'end'),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 40 }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
  });
  return fc.tuple(whole, fc.array(tear, { minLength: 1, maxLength: 3 })).map(([bytes, tears]) =>
    tears.reduce((before, { kind, at, length, bytes: other }) => {
      const start = at % (before.length + 1);
      const [head, tail] = [before.subarray(0, start), before.subarray(start)];
      const part = tail.subarray(0, length);
      const middle: Readonly<Record<string, readonly Uint8Array[]>> = {
        change: [other, tail.subarray(other.length)],
        drop: [tail.subarray(length)],
        repeat: [part, part, tail.subarray(length)],
        insert: [other, tail],
        end: [],
      };
      return Buffer.concat([head, ...middle[kind]!]);
    }, bytes),
  );
}

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((one, other) => one - other);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)).filter(({ length }) => length > 0);
}

/** Percent-encodes every byte that a request line cannot contain, and does not change existing escapes. */
function escape(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) =>
      /[!$'()*,;:@~._%0-9A-Za-z-]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).padStart(2, '0')}`,
    )
    .join('');
}
