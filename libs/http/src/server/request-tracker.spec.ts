import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../../../../test/support/listen.js';
import { RequestState, stateOf } from '../request-context.js';
import { RequestTracker, type FinishedRequest } from './request-tracker.js';

const GET = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n';
const WITHOUT_ITS_BODY = 'POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\n';
const MAX_CONNECTIONS = 3;

describe('RequestTracker', () => {
  let tracker: RequestTracker;
  let server: Server;
  let port: number;
  /** The responses that are being served. */
  let served: ServerResponse[];
  let over: FinishedRequest[];
  const clients: Socket[] = [];

  beforeEach(async () => {
    tracker = new RequestTracker();
    [served, over] = [[], []];
    tracker.observe((finished) => over.push(finished));
    server = createServer((request, response) => {
      tracker.take(request, response);
    });
    tracker.attach(server, MAX_CONNECTIONS, (_request: IncomingMessage, response: ServerResponse) => {
      Object.assign(response, { state: new RequestState('id') });
      served.push(response);
      server.emit('served');
    });
    port = await listen(server);
  });

  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    server.close();
  });

  async function open(): Promise<Socket> {
    const client = connect(port, '127.0.0.1');
    clients.push(client);
    client.on('error', () => undefined);
    await Promise.all([once(client, 'connect'), once(server, 'connection')]);
    return client;
  }

  async function send(client: Socket, bytes: string): Promise<void> {
    client.write(bytes);
    await once(server, 'served');
  }

  async function answer(client: Socket): Promise<void> {
    const response = served.at(-1)!;
    response.end('answered');
    await Promise.all([once(client, 'data'), once(response, 'close')]);
  }

  test('tells of a request when it is over', async () => {
    const client = await open();
    await send(client, GET);
    expect([tracker.inFlight, over]).toEqual([1, []]);
    await answer(client);
    expect(over).toMatchObject([{ isAborted: false, state: { errorCode: undefined, requestId: 'id' } }]);
    expect([tracker.inFlight, tracker.unfinishedResponses()]).toEqual([0, []]);
  });

  test('tells of a request whose client goes away', async () => {
    const client = await open();
    await send(client, GET);
    client.destroy();
    await once(served[0]!, 'close');
    expect(over).toMatchObject([{ isAborted: true }]);
    expect([tracker.inFlight, tracker.openConnections]).toEqual([0, 0]);
  });

  test('tells the code of the Error body that was sent', async () => {
    const client = await open();
    await send(client, GET);
    stateOf(served[0]!).errorCode = 'conflict';
    await answer(client);
    expect(over).toMatchObject([{ state: { errorCode: 'conflict' } }]);
  });

  test('knows the request that was answered while the rest of it is still to come', async () => {
    const client = await open();
    await send(client, WITHOUT_ITS_BODY);
    const { socket } = served[0]!.req;
    await answer(client);
    expect(tracker.latestResponseOn(socket)?.req.complete).toBe(false);
  });

  test('serves one request of a connection at a time, in their order', async () => {
    const client = await open();
    await send(client, GET.repeat(3));
    expect(served.length).toBe(1);
    for (const count of [2, 3]) {
      const next = once(server, 'served');
      served.at(-1)!.end('answered');
      await next;
      expect(served.length).toBe(count);
    }
    await answer(client);
    expect(over.length).toBe(3);
  });

  test('goes on behind a request whose handler destroyed it', async () => {
    const client = await open();
    await send(client, `${WITHOUT_ITS_BODY}123456789${GET}`);
    await delay(20);
    // So does a loop over the chunks of the body that ends early.
    for await (const chunk of served[0]!.req) if (chunk !== undefined) break;
    const next = once(server, 'served');
    served[0]!.end('answered');
    await next;
    expect([served.length, over.length]).toEqual([2, 1]);
  });

  test('carries nothing out behind a response that ended the connection', async () => {
    const client = await open();
    await send(client, GET.repeat(2));
    served[0]!.shouldKeepAlive = false;
    served[0]!.end('the last one');
    client.resume();
    await once(client, 'end');
    await delay(10);
    expect([served.length, tracker.openConnections]).toEqual([1, 0]);
  });

  test('closes a connection on which too many requests wait', async () => {
    const client = await open();
    client.write(GET.repeat(40));
    await once(client, 'close');
    expect(served.length).toBe(1);
  });

  test('replaces the connection that has been idle for the longest time', async () => {
    const [first, second, busy] = [await open(), await open(), await open()];
    await send(first, GET);
    await answer(first);
    await send(busy, GET);
    await open();
    await once(second, 'close');
    expect([first.destroyed, busy.destroyed, tracker.openConnections]).toEqual([false, false, MAX_CONNECTIONS]);
  });

  test('replaces the connection whose client has not read its response for the longest time', async () => {
    for (let count = 0; count < MAX_CONNECTIONS; count += 1) await send(await open(), GET);
    const [stalled, other] = served;
    for (const response of [other!, stalled!]) response.write(Buffer.alloc(16 * 1024 ** 2));
    await open();
    await once(stalled!, 'close');
    expect([other!.destroyed, tracker.openConnections]).toEqual([false, MAX_CONNECTIONS]);
  });

  test('closes a new connection if no other one is idle', async () => {
    for (let count = 0; count < MAX_CONNECTIONS; count += 1) await send(await open(), GET);
    const late = await open();
    await once(late, 'close');
    expect([tracker.openConnections, tracker.inFlight]).toEqual([MAX_CONNECTIONS, MAX_CONNECTIONS]);
  });
});
