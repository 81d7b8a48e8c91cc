import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listen } from '../../../../test/support/listen.js';
import { RequestTracker } from '../connections/request-tracker.js';
import { writeResponse } from './write-response.js';

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
