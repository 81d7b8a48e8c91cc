import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { listen } from '../../../../test/support/listen.js';
import { RequestTracker } from '../connections/request-tracker.js';
import { addCommonHeaders, addPrefix, writeResponse } from './response-writer.js';

describe('writeResponse', () => {
  let server: Server;
  let port: number;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;

  beforeEach(async () => {
    const requestTracker = new RequestTracker();
    server = createServer((request, response) => {
      requestTracker.begin(response);
      answer(request, response);
    });
    port = await listen(server);
  });

  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  function ask(): Promise<Response> {
    return fetch(`http://127.0.0.1:${port}/`);
  }

  test('throws where a field is refused, so that another answer can be given', async () => {
    answer = (request, response) => {
      expect(() => {
        writeResponse(request, response, 200, ['Link', 'a\r\nSet-Cookie: b'], '{}');
      }).toThrow('Invalid character');
      writeResponse(request, response, 500, [], '{"code":"internal_error"}');
    };
    const received = await ask();
    expect([received.status, await received.text()]).toEqual([500, '{"code":"internal_error"}']);
  });

  test('sends answers together that are ready at the same time, each whole', async () => {
    const waiting: (() => void)[] = [];
    const ended: number[] = [];
    answer = (request, response) => {
      const position = waiting.push(() => {
        writeResponse(request, response, 200, [], `[${position}]`);
        ended.push(Number(response.writableEnded));
      });
      if (position === 3) for (const write of waiting) write();
    };
    const bodies = await Promise.all(Array.from({ length: 3 }, async () => (await ask()).text()));
    expect(ended).toEqual([0, 0, 0]);
    expect(bodies.sort()).toEqual(['[1]', '[2]', '[3]']);
  });
});

class CarryingResponse<Request extends IncomingMessage> extends ServerResponse<Request> {}
addCommonHeaders(CarryingResponse.prototype as ServerResponse);

describe('an answer that is written by hand', () => {
  let server: Server;
  let port: number;
  let answer: (response: ServerResponse) => void;

  beforeEach(async () => {
    server = createServer({ ServerResponse: CarryingResponse }, (_request, response) => {
      answer(response);
    });
    port = await listen(server);
  });

  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  async function ask(): Promise<Response> {
    const received = await fetch(`http://127.0.0.1:${port}/`);
    await received.arrayBuffer();
    return received;
  }

  test.each<[string, (response: ServerResponse) => void]>([
    ['set one by one', (response) => response.setHeader('cache-control', 'no-store').setHeader('X-Own', '1').end()],
    ['given as an object', (response) => response.writeHead(200, { 'cache-control': 'no-store', 'x-own': '1' }).end()],
    [
      'given behind a reason',
      (response) => response.writeHead(200, 'Fine', { 'Cache-Control': 'no-store', 'X-Own': '1' }).end(),
    ],
    ['given as a list', (response) => response.writeHead(200, ['Cache-Control', 'no-store', 'X-Own', '1']).end()],
    [
      'given as pairs',
      (response) =>
        response
          .writeHead(200, [
            ['Cache-Control', 'no-store'],
            ['X-Own', '1'],
          ] as never)
          .end(),
    ],
  ])('keeps the header fields that are %s, and gets those that are missing', async (_how, write) => {
    answer = write;
    const { headers } = await ask();
    expect([headers.get('cache-control'), headers.get('x-own'), headers.get('vary')]).toEqual([
      'no-store',
      '1',
      'Authorization',
    ]);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  });

  test('keeps every value of a field that comes several times', async () => {
    answer = (response) => response.writeHead(200, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']).end();
    expect((await ask()).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  test.each([
    ['Accept', 'Accept, Authorization'],
    ['authorization', 'authorization'],
    ['Accept, Authorization', 'Accept, Authorization'],
    ['*', '*'],
    ['X-Authorization', 'X-Authorization, Authorization'],
  ])('that varies with %s varies with %s', async (set, sent) => {
    answer = (response) => response.setHeader('Vary', set).end();
    expect((await ask()).headers.get('vary')).toBe(sent);
  });

  test('carries them also behind a head that Node refused', async () => {
    answer = (response) => {
      expect(() => response.writeHead(200, { 'X-Own': 'line\nbreak' })).toThrow('Invalid character');
      response.writeHead(500).end();
    };
    const { status, headers } = await ask();
    expect([status, headers.get('vary'), headers.get('x-own')]).toEqual([500, 'Authorization', null]);
  });

  test('cannot be given a second head', async () => {
    answer = (response) => {
      response.writeHead(200);
      expect(() => response.writeHead(500)).toThrow('Cannot write headers after they are sent');
      response.end();
    };
    expect((await ask()).status).toBe(200);
  });

  test('ends the connection where that is to end', async () => {
    answer = (response) => {
      response.shouldKeepAlive = false;
      response.writeHead(200, { Connection: 'keep-alive' }).end();
    };
    expect((await ask()).headers.get('connection')).toBe('close');
  });
});

describe('the addresses of a response behind a proxy that takes /shop off', () => {
  function prefixed(name: string, value: string | string[]): unknown {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    response.setHeader(name, value);
    addPrefix(response, '/shop');
    return [response.getHeader(name)].flat().join('; ');
  }

  test.each([
    ['Location', '/v1/pets/1', '/shop/v1/pets/1'],
    ['location', '/', '/shop/'],
    ['Link', '</v1/pets?limit=1>; rel="next"', '</shop/v1/pets?limit=1>; rel="next"'],
    ['Link', '</a>; rel="next", </b>; rel="prev"', '</shop/a>; rel="next", </shop/b>; rel="prev"'],
    ['LINK', '</a>,</b>,  </c>', '</shop/a>,</shop/b>,  </shop/c>'],
    ['Link', ['</a>', '</b>'], '</shop/a>; </shop/b>'],
  ])('%s: %j becomes %s', (name, value, expected) => {
    expect(prefixed(name, value)).toBe(expected);
  });

  test.each([
    ['Location', 'https://other.example/v1'],
    ['Location', '//other.example/v1'],
    ['Location', 'pets/1'],
    ['Link', '<https://other.example/v1>; rel="next"'],
    ['Link', '<//other.example/v1>; rel="next"'],
    ['Link', '<#part>; rel="help"; title="</b>"'],
    ['X-Location', '/v1'],
  ])('%s: %s stays as it is', (name, value) => {
    expect(prefixed(name, value)).toBe(value);
  });
});
