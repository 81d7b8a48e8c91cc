import { createServer, ServerResponse, type IncomingMessage, type Server } from 'node:http';
import { listen } from '../../../../test/support/listen.js';
import { addCommonHeaders, ResponseBatch, responseBatch, writeResponse } from './response-writer.js';

describe('writeResponse', () => {
  let server: Server;
  let port: number;
  let respond: (request: IncomingMessage, response: ServerResponse) => void;

  beforeEach(async () => {
    const batch = new ResponseBatch();
    server = createServer((request, response) => {
      respond(request, Object.assign(response, { [responseBatch]: batch }));
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

  test('throws where a field is refused, so that another response can be given', async () => {
    respond = (request, response) => {
      expect(() => {
        writeResponse(request, response, 200, ['Link', 'a\r\nSet-Cookie: b'], '{}');
      }).toThrow('Invalid character');
      writeResponse(request, response, 500, [], '{"code":"internal_error"}');
    };
    const received = await ask();
    expect([received.status, await received.text()]).toEqual([500, '{"code":"internal_error"}']);
  });

  test('sends responses together that are ready at the same time, each whole', async () => {
    const waiting: (() => void)[] = [];
    const ended: number[] = [];
    respond = (request, response) => {
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

describe('a response that is written by hand', () => {
  let server: Server;
  let port: number;
  let respond: (response: ServerResponse) => void;

  beforeEach(async () => {
    server = createServer({ ServerResponse: CarryingResponse }, (_request, response) => {
      respond(response);
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
    respond = write;
    const { headers } = await ask();
    expect([headers.get('cache-control'), headers.get('x-own'), headers.get('vary')]).toEqual([
      'no-store',
      '1',
      'Authorization',
    ]);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  test('keeps every value of a field that comes several times', async () => {
    respond = (response) => response.writeHead(200, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']).end();
    expect((await ask()).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  test.each([
    ['Accept', 'Accept, Authorization'],
    ['authorization', 'authorization'],
    ['Accept, Authorization', 'Accept, Authorization'],
    ['*', '*'],
    ['X-Authorization', 'X-Authorization, Authorization'],
  ])('that varies with %s varies with %s', async (set, sent) => {
    respond = (response) => response.setHeader('Vary', set).end();
    expect((await ask()).headers.get('vary')).toBe(sent);
  });

  test('carries them also behind a head that Node refused', async () => {
    respond = (response) => {
      expect(() => response.writeHead(200, { 'X-Own': 'line\nbreak' })).toThrow('Invalid character');
      response.writeHead(500).end();
    };
    const { status, headers } = await ask();
    expect([status, headers.get('vary'), headers.get('x-own')]).toEqual([500, 'Authorization', null]);
  });

  test('cannot be given a second head', async () => {
    respond = (response) => {
      response.writeHead(200);
      expect(() => response.writeHead(500)).toThrow('Cannot write headers after they are sent');
      response.end();
    };
    expect((await ask()).status).toBe(200);
  });

  test('ends the connection where that is to end', async () => {
    respond = (response) => {
      response.shouldKeepAlive = false;
      response.writeHead(200, { Connection: 'keep-alive' }).end();
    };
    expect((await ask()).headers.get('connection')).toBe('close');
  });
});
