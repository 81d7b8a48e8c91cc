import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../../../../test/support/listen.js';
import { RawConnection, requestBytes } from '../../../../test/support/raw-http.js';
import { RequestTracker } from './request-tracker.js';
import { RequestAdmission, leavesHttp, stopParsingAfterRefused } from './request-admission.js';

const LIMITS = { connections: 100, requests: 6, requestsPerConnection: 2, unreadBytes: 1 };

describe('RequestAdmission', () => {
  let requestTracker: RequestTracker;
  let server: Server;
  let port: number;
  let parsed: number;
  /** The requests that were begun and are not answered, by their path. */
  const begun = new Map<string, ServerResponse>();
  const sockets: Socket[] = [];
  const known = new WeakSet<Socket>();
  const clients: RawConnection[] = [];

  beforeEach(async () => {
    parsed = 0;
    requestTracker = new RequestTracker();
    const admission = new RequestAdmission(requestTracker, LIMITS, {
      serve: ({ url = '' }, response) => begun.set(url, response),
      refuse: (_request, response) => {
        response.writeHead(503, { 'content-length': 0, connection: 'close' }).end();
      },
      mayPipeline: (connection) => known.has(connection),
    });
    class Request extends IncomingMessage {}
    server = createServer({ IncomingMessage: Request, shouldUpgradeCallback: leavesHttp }, (request, response) => {
      parsed += 1;
      admission.take(request, response);
    });
    stopParsingAfterRefused(Request, server);
    requestTracker.attach(server);
    server.on('connection', (socket: Socket) => sockets.push(socket));
    port = await listen(server);
  });

  afterEach(() => {
    for (const client of clients.splice(0)) client.close();
    begun.clear();
    sockets.length = 0;
    server.close();
  });

  async function connectAsStranger(): Promise<RawConnection> {
    const client = await RawConnection.open(port);
    clients.push(client);
    return client;
  }

  /** A connection on which a request with a valid key was answered. */
  async function connect(): Promise<RawConnection> {
    const client = await connectAsStranger();
    client.send(requestBytes('GET', '/first'));
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    known.add(request.socket);
    answer('/first');
    await client.answer();
    await delay(5);
    parsed = 0;
    return client;
  }

  async function send(client: RawConnection, ...paths: string[]): Promise<void> {
    client.send(paths.map((path) => requestBytes('GET', path)).join(''));
    await once(server, 'request');
    await delay(20);
  }

  function answer(path: string): void {
    begun.get(path)?.writeHead(200, { 'content-length': path.length }).end(path);
    begun.delete(path);
  }

  async function answers(client: RawConnection, count: number): Promise<string[]> {
    const texts: string[] = [];
    for (let index = 0; index < count; index++) {
      // The next ones begin in another turn of the event loop.
      for (let turn = 0; turn < count; turn++) {
        for (const path of begun.keys()) answer(path);
        await delay(5);
      }
      const received = await client.answer();
      texts.push(received.status === 200 ? received.text() : String(received.status));
    }
    return texts;
  }

  const underWay = () => [...begun.keys()].join(' ');

  test('serves a request that comes alone at once', async () => {
    const client = await connect();
    client.send(requestBytes('GET', '/1'));
    await once(server, 'request');
    expect(underWay()).toBe('/1');
  });

  test('serves as many requests of one connection at a time as it may', async () => {
    const client = await connect();
    await send(client, '/1', '/2', '/3', '/4');
    expect(underWay()).toBe('/1 /2');
  });

  test('serves one request of a stranger at a time', async () => {
    await send(await connectAsStranger(), '/1', '/2', '/3', '/4');
    expect(underWay()).toBe('/1');
  });

  test('begins the next one when one was answered', async () => {
    const client = await connect();
    await send(client, '/1', '/2', '/3', '/4');
    answer('/1');
    await client.answer();
    await delay(20);
    expect(underWay()).toBe('/2 /3');
  });

  test('answers all requests of a connection, in their order', async () => {
    const client = await connect();
    await send(client, '/1', '/2', '/3', '/4', '/5', '/6');
    expect(await answers(client, 6)).toEqual(['/1', '/2', '/3', '/4', '/5', '/6']);
    expect(requestTracker.inFlight).toBe(0);
  });

  test('reads no further from a connection on which requests wait', async () => {
    const client = await connect();
    await send(client, '/1', '/2', '/3');
    const read = sockets[0]?.bytesRead;
    client.send(requestBytes('GET', '/4'));
    await delay(50);
    expect(sockets[0]?.bytesRead).toBe(read);
    expect(await answers(client, 4)).toEqual(['/1', '/2', '/3', '/4']);
  });

  test('serves another connection while requests of one wait', async () => {
    await send(await connect(), '/1', '/2', '/3', '/4');
    await send(await connect(), '/other');
    expect(underWay()).toBe('/1 /2 /other');
  });

  test('lets connections take turns', async () => {
    const [first, second] = [await connect(), await connect()];
    await send(first, '/a1', '/a2', '/a3', '/a4');
    await send(second, '/b1', '/b2', '/b3', '/b4');
    for (const path of ['/a1', '/a2', '/b1', '/b2']) answer(path);
    for (const client of [first, first, second, second]) await client.answer();
    await delay(20);
    expect(underWay()).toBe('/a3 /b3 /a4 /b4');
  });

  describe('when as many requests are served as may be,', () => {
    beforeEach(async () => {
      await send(await connect(), '/1', '/2');
      await send(await connect(), '/3', '/4');
      await send(await connect(), '/5', '/6');
    });

    test('refuses one more, and ends its connection', async () => {
      const client = await connectAsStranger();
      await send(client, '/7');
      expect((await client.answer()).status).toBe(503);
      await client.untilClosed();
      expect(underWay()).toBe('/1 /2 /3 /4 /5 /6');
    });

    test('serves another one when one is over', async () => {
      answer('/1');
      await delay(20);
      await send(await connect(), '/7');
      expect(underWay()).toBe('/2 /3 /4 /5 /6 /7');
    });

    test('serves another one when the client of one has gone', async () => {
      clients[0]?.close();
      await delay(20);
      begun.clear();
      await send(await connect(), '/7');
      expect(underWay()).toBe('/7');
    });
  });

  describe('when as many requests wait as may,', () => {
    let flooding: RawConnection;

    beforeEach(async () => {
      await send(await connect(), '/1', '/2', '/3', '/4', '/5', '/6', '/7');
      flooding = await connect();
      await send(flooding, '/a', '/b', '/c', '/d', '/e', '/f');
    });

    test('refuses what waits on the connection that brings one more, behind what it began', async () => {
      expect(underWay()).toBe('/1 /2 /a');
      expect(await answers(flooding, 2)).toEqual(['/a', '503']);
    });

    test('ends that connection, and parses nothing more of it', async () => {
      const before = parsed;
      expect(before).toBe(3);
      await answers(flooding, 2);
      await flooding.untilClosed();
      expect(parsed).toBe(before);
      expect(flooding.unread.toString()).toBe('');
    });

    test('has no room for another connection that pipelines before the refused one is closed', async () => {
      const other = await connect();
      await send(other, '/x', '/y', '/z');
      expect(await answers(other, 2)).toEqual(['/x', '503']);
    });

    test('serves a request that comes alone', async () => {
      await send(await connect(), '/other');
      expect(begun.has('/other')).toBe(true);
    });

    test('goes on with those that wait on other connections', async () => {
      expect(await answers(clients[0]!, 7)).toEqual(['/1', '/2', '/3', '/4', '/5', '/6', '/7']);
    });

    test('has room again when the connection has gone before its answers were out', async () => {
      flooding.close();
      // Nothing is read from it, so that it has gone shows when it is written to.
      answer('/a');
      await delay(50);
      expect(requestTracker.inFlight).toBe(7);
      const other = await connect();
      await send(other, '/x', '/y');
      expect(await answers(other, 2)).toEqual(['/x', '/y']);
    });
  });
});
