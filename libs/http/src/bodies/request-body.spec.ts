import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { listen } from '../../../../test/support/listen.js';
import { RawConnection, requestBytes } from '../../../../test/support/raw-http.js';
import { RequestError } from '../errors/request.errors.js';
import { BodyMemoryBudget, TurnLimiter } from './body-limits.js';
import { hasBody, isJsonMediaType, readBody, refusalOfEncodedBody } from './request-body.js';

const { jest } = import.meta;

const LIMIT = 1000;

const LIMITS = {
  limit: LIMIT,
  memory: new BodyMemoryBudget(10 * LIMIT),
  turns: new TurnLimiter(32),
};

type Request = IncomingMessage & PassThrough;

/** A request whose body is what the test writes into it. */
function requestWith(headers: Record<string, string>): Request {
  const socket = new PassThrough();
  return Object.assign(new PassThrough(), { headers, complete: false, socket }) as unknown as Request;
}

/** A request whose body has arrived as a whole, in these pieces. */
function sent(headers: Record<string, string>, ...pieces: (Buffer | string)[]): Request {
  const request = requestWith(headers);
  for (const piece of pieces) request.write(piece);
  request.complete = true;
  request.end();
  return request;
}

async function read(request: IncomingMessage, start: () => void = () => undefined): Promise<Buffer> {
  return await readBody(request, LIMITS, start);
}

async function refusal(attempt: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof RequestError) return error;
  throw new Error('The body was not refused', { cause: error });
}

describe('a request', () => {
  test.each<Record<string, string>>([{ 'content-length': '1' }, { 'transfer-encoding': 'chunked' }])(
    'has a body with %j',
    (headers) => {
      expect(hasBody(requestWith(headers))).toBe(true);
    },
  );

  test.each<Record<string, string>>([{}, { 'content-length': '0' }])('has no body with %j', (headers) => {
    expect(hasBody(requestWith(headers))).toBe(false);
  });
});

describe('a body', () => {
  const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 90 }), { maxLength: 10 });

  test('is read byte by byte as it was sent, in whatever pieces it comes', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, async (bytes) => {
        const buffers = bytes.map((piece) => Buffer.from(piece));
        expect(await read(sent({}, ...buffers))).toEqual(Buffer.concat(buffers));
      }),
    );
  });

  test('is read byte by byte as it was sent, however long after its header it comes', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, async (bytes) => {
        const request = requestWith({});
        const body = read(request);
        for (const piece of bytes) {
          await setImmediate();
          request.write(Buffer.from(piece));
        }
        request.complete = true;
        request.end();
        expect(await body).toEqual(Buffer.concat(bytes));
      }),
    );
  });

  test('is read as soon as it is there at its announced length, before the request has ended', async () => {
    const request = requestWith({ 'content-length': '13' });
    request.write('{"na');
    request.write('me":"Rx"}');
    expect((await read(request)).toString()).toBe('{"name":"Rx"}');
  });

  test('may be as large as the limit', async () => {
    expect(await read(sent({ 'content-length': String(LIMIT) }, 'x'.repeat(LIMIT)))).toHaveLength(LIMIT);
  });
});

describe('a body that Node parses after it has called the handler', () => {
  const BODY = '{"name":"Rex"}';
  let server: Server;
  let client: RawConnection;
  let reading: { readonly listeners: unknown; readonly body: Promise<Buffer> };

  beforeEach(async () => {
    server = createServer((request, response) => {
      reading = { listeners: jest.spyOn(request, 'on'), body: read(request) };
      void reading.body.then(() => response.setHeader('Content-Length', 0).end());
    });
    client = await RawConnection.open(await listen(server));
  });

  afterEach(() => {
    client.close();
    server.close();
  });

  async function sendAndRead(bytes: string): Promise<string> {
    client.send(bytes);
    await once(server, 'request');
    return (await reading.body).toString();
  }

  test('is read without the events of a stream when it comes with its header', async () => {
    expect(await sendAndRead(requestBytes('POST', '/', [`Content-Length: ${BODY.length}`], BODY))).toBe(BODY);
    expect(reading.listeners).not.toHaveBeenCalled();
  });

  test('is read when it comes in chunks', async () => {
    const chunks = `5\r\n${BODY.slice(0, 5)}\r\n${(BODY.length - 5).toString(16)}\r\n${BODY.slice(5)}\r\n0\r\n\r\n`;
    expect(await sendAndRead(requestBytes('POST', '/', ['Transfer-Encoding: chunked'], chunks))).toBe(BODY);
  });

  test('leaves the connection to the next request', async () => {
    const request = requestBytes('POST', '/', [`Content-Length: ${BODY.length}`], BODY);
    expect(await sendAndRead(request)).toBe(BODY);
    await client.response();
    expect(await sendAndRead(request)).toBe(BODY);
  });
});

describe('a body that is too large', () => {
  test('is refused by its announced length', async () => {
    const { code } = await refusal(read(requestWith({ 'content-length': String(LIMIT + 1) })));
    expect(code).toBe('payload_too_large');
  });

  test.each([
    ['nothing is announced', {}],
    ['it announced to be small', { 'content-length': '1' }],
  ])('is refused where it passes the limit when %s', async (_what, headers: Record<string, string>) => {
    const { code } = await refusal(read(sent(headers, 'x'.repeat(LIMIT), 'x')));
    expect(code).toBe('payload_too_large');
  });

  test('is refused before its end has come', async () => {
    const request = requestWith({});
    const attempt = refusal(read(request));
    request.write('x'.repeat(LIMIT + 1));
    expect((await attempt).code).toBe('payload_too_large');
  });
});

describe('a body in chunks of one byte', () => {
  const long = {
    limit: 100_000,
    memory: new BodyMemoryBudget(100_000),
    turns: new TurnLimiter(32),
  };

  async function readInChunks(count: number): Promise<Buffer> {
    const request = requestWith({ 'transfer-encoding': 'chunked' });
    const body = readBody(request, long, () => undefined);
    await setImmediate();
    for (let index = 0; index < count; index++) request.write('x');
    request.complete = true;
    request.end();
    return await body;
  }

  test('is read while they are no more than ten thousand', async () => {
    expect(await readInChunks(10_000)).toEqual(Buffer.alloc(10_000, 'x'));
  });

  test('is refused when they are more, and no more of it is read', async () => {
    expect(await refusal(readInChunks(10_001))).toMatchObject({
      code: 'invalid_request',
      message: 'The body comes in more than 10000 chunks of a few bytes: send larger ones',
    });
  });
});

describe('a body that is encoded', () => {
  test.each(['gzip', 'x-gzip', 'GZIP', 'deflate', 'br', 'zstd', 'gzip, gzip', 'constructor', 'utf-8'])(
    'in %s is refused, with the header that says what is taken',
    (coding) => {
      const request = requestWith({ 'content-encoding': coding });
      expect(refusalOfEncodedBody(request)).toMatchObject({
        code: 'unsupported_media_type',
        headers: { 'Accept-Encoding': 'identity' },
      });
    },
  );

  test.each(['gzip, chunked', 'chunked, chunked', 'identity'])('for its transfer in %s is refused', (coding) => {
    const request = requestWith({ 'transfer-encoding': coding });
    expect(refusalOfEncodedBody(request)).toMatchObject({
      code: 'invalid_request',
      message: 'Transfer-Encoding may only be chunked',
    });
  });

  test.each<Record<string, string>>([
    {},
    { 'content-encoding': 'identity' },
    { 'content-encoding': ' Identity' },
    { 'transfer-encoding': 'Chunked' },
  ])('not at all passes: %j', (headers) => {
    expect(refusalOfEncodedBody(requestWith(headers))).toBeUndefined();
  });
});

describe('a body that cannot be read', () => {
  test('is refused when the client goes away in the middle', async () => {
    const request = requestWith({});
    const attempt = refusal(read(request));
    request.write('{"na');
    request.destroy();
    expect(await attempt).toMatchObject({ message: 'The body ended before its announced length: send all of it' });
  });

  test('is refused when the client has gone away before anybody read it', async () => {
    const request = requestWith({});
    request.destroy();
    await once(request, 'close');
    expect((await refusal(read(request))).code).toBe('invalid_request');
  });
});

test('asking for a body happens once, before it is read', async () => {
  const request = requestWith({});
  const start = jest.fn(() => {
    request.complete = true;
    request.end('{}');
  });
  await read(request, start);
  expect(start).toHaveBeenCalledTimes(1);
});

describe('a Content-Type', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json;',
    'application/json \t; ',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ;\tcharset="utf-8" ; ',
  ])('is that of JSON: %j', (value) => {
    expect(isJsonMediaType(value)).toBe(true);
  });

  test.each([
    '',
    'application/jsonp',
    'application/json x',
    'application/json charset=utf-8',
    'application/json;;',
    'application/json; charset=latin1',
    'application/json; charset="utf-8',
    'application/json; charset=utf-8; charset=utf-8',
    'application/json\u00a0',
    'text/json',
  ])('is another one: %j', (value) => {
    expect(isJsonMediaType(value)).toBe(false);
  });
});
