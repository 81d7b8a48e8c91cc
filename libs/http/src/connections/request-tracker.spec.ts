import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../../../../test/support/listen.js';
import { ErrorResponse } from '../errors/error-response.js';
import { recordError, RequestTracker } from './request-tracker.js';

const GET = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n';
const WITHOUT_ITS_BODY = 'POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\n';

describe('RequestTracker', () => {
  let requestTracker: RequestTracker;
  let server: Server;
  let client: Socket;
  let serverSide: Socket;
  let answer: (() => void) | undefined;

  beforeEach(async () => {
    requestTracker = new RequestTracker();
    server = createServer((_request, response) => {
      requestTracker.begin(response);
      answer = () => response.end('answered');
    });
    requestTracker.attach(server);
    server.on('connection', (socket: Socket) => (serverSide = socket));
    client = connect(await listen(server), '127.0.0.1');
    await once(client, 'connect');
  });

  afterEach(() => {
    client.destroy();
    server.close();
  });

  async function send(request: string): Promise<void> {
    client.write(request);
    await once(server, 'request');
  }

  async function receiveAnswer(): Promise<void> {
    answer?.();
    await once(client, 'data');
    await delay(10);
  }

  test('tells of a request when it is over', async () => {
    const over: { status: number; isAborted: boolean; ms: number }[] = [];
    requestTracker.observe(({ response, isAborted, ms }) => {
      over.push({ status: response.statusCode, isAborted, ms });
    });
    await send(GET);
    expect([requestTracker.inFlight, over]).toEqual([1, []]);
    await receiveAnswer();
    expect(over).toEqual([{ status: 200, isAborted: false, ms: expect.any(Number) as number }]);
    expect(requestTracker.inFlight).toBe(0);
  });

  test('tells of a request whose client goes away', async () => {
    const over: boolean[] = [];
    requestTracker.observe(({ isAborted }) => over.push(isAborted));
    await send(GET);
    client.destroy();
    await once(serverSide, 'close');
    await delay(10);
    expect(over).toEqual([true]);
    expect([requestTracker.inFlight, requestTracker.openConnections]).toEqual([0, 0]);
  });

  test('tells the code of the Error body that was sent', async () => {
    const codes: unknown[] = [];
    requestTracker.observe(({ errorCode }) => codes.push(errorCode));
    await send(GET);
    recordError(requestTracker.latestOn(serverSide)!, ErrorResponse.of('conflict', 'What went wrong'));
    await receiveAnswer();
    expect(codes).toEqual(['conflict']);
  });

  test('holds no request on an idle connection', async () => {
    await send(GET);
    expect(requestTracker.latestOn(serverSide)).toBeDefined();
    await receiveAnswer();
    expect(requestTracker.latestOn(serverSide)).toBeUndefined();
    expect([requestTracker.openConnections, requestTracker.unfinishedResponses()]).toEqual([1, []]);
  });

  test('knows the request that was answered while the rest of it is still to come', async () => {
    await send(WITHOUT_ITS_BODY);
    await receiveAnswer();
    expect(requestTracker.latestOn(serverSide)?.writableFinished).toBe(true);
    expect(requestTracker.unfinishedResponses()).toEqual([]);
  });
});
