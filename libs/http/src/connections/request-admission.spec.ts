import { once } from 'node:events';
import { createServer, IncomingMessage, ServerResponse, type Server } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../../../../test/support/listen.js';
import { RawConnection, requestBytes } from '../../../../test/support/raw-http.js';
import { RequestTracker } from './request-tracker.js';
import { stopParsingOnRefused } from '../node-internals.js';
import { isRefused, RequestAdmission } from './request-admission.js';

const LIMITS = { waitingRequests: 6 };

describe('RequestAdmission', () => {
  let requestTracker: RequestTracker;
  let server: Server;
  let port: number;
  let parsed: number;
  /** The requests that were begun and are not answered, by their path. */
  const begun = new Map<string, ServerResponse>();
  const sockets: Socket[] = [];
  const clients: RawConnection[] = [];

  beforeEach(async () => {
    parsed = 0;
    requestTracker = new RequestTracker();
    const admission = new RequestAdmission(requestTracker, LIMITS, {
      serve: ({ url = '' }, response) => begun.set(url, response),
      refuse: (_request, response) => {
        response.writeHead(503, { 'content-length': 0, connection: 'close' }).end();
      },
    });
    class Request extends IncomingMessage {}
    const shouldUpgradeCallback = stopParsingOnRefused(Request, isRefused);
    server = createServer({ IncomingMessage: Request, shouldUpgradeCallback }, (request, response) => {
      parsed += 1;
      admission.take(request, response);
    });
    server.on('upgrade', (_request, socket: Socket) => socket.on('error', () => undefined));
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

  async function connect(): Promise<RawConnection> {
    const client = await RawConnection.open(port);
    clients.push(client);
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
      const received = await client.response();
      texts.push(received.status === 200 ? received.text() : String(received.status));
    }
    return texts;
  }

  const underWay = () => [...begun.keys()].join(' ');

  test('serves one request of a connection at a time, and others on other connections', async () => {
    await send(await connect(), '/1', '/2', '/3');
    await send(await connect(), '/a', '/b');
    expect(underWay()).toBe('/1 /a');
  });

  test('begins the next one when one was answered', async () => {
    const client = await connect();
    await send(client, '/1', '/2', '/3', '/4');
    answer('/1');
    await client.response();
    await delay(20);
    expect(underWay()).toBe('/2');
  });

  test('begins no other one while the client has not read the response', async () => {
    const client = createConnection(port, '127.0.0.1').pause();
    client.write(requestBytes('GET', '/1') + requestBytes('GET', '/2'));
    await once(server, 'request');
    // More than the kernel takes.
    begun.get('/1')?.end(Buffer.alloc(32 * 1024 ** 2));
    begun.delete('/1');
    await delay(50);
    expect(underWay()).toBe('');
    client.resume();
    while (!begun.has('/2')) await delay(5);
    client.destroy();
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

  test('begins nothing behind a response that ends the connection', async () => {
    const client = await connect();
    await send(client, '/1', '/2', '/3');
    begun.get('/1')?.writeHead(200, { 'content-length': 0, connection: 'close' }).end();
    begun.delete('/1');
    await client.untilClosed();
    expect(underWay()).toBe('');
    expect(requestTracker.inFlight).toBe(0);
  });

  describe('when as many requests wait as may,', () => {
    let flooding: RawConnection;

    beforeEach(async () => {
      await send(await connect(), '/1', '/2', '/3', '/4');
      flooding = await connect();
      await send(flooding, '/a', '/b', '/c', '/d', '/e', '/f');
    });

    test('refuses what waits on the connection that brings one more, behind what it began', async () => {
      expect(underWay()).toBe('/1 /a');
      expect(await answers(flooding, 2)).toEqual(['/a', '503']);
    });

    test('ends that connection, and parses nothing more of it', async () => {
      const before = parsed;
      await answers(flooding, 2);
      await flooding.untilClosed();
      expect(parsed).toBe(before);
      expect(flooding.unread.toString()).toBe('');
    });

    test('has no room for another connection that pipelines before the refused one is closed', async () => {
      const other = await connect();
      await send(other, '/x', '/y');
      expect(await answers(other, 2)).toEqual(['/x', '503']);
    });

    test('serves a request that comes alone', async () => {
      await send(await connect(), '/other');
      expect(begun.has('/other')).toBe(true);
    });

    test('has room again when the connection has gone before its answers were out', async () => {
      flooding.close();
      // Nothing is read from it, so that it has gone shows when it is written to.
      answer('/a');
      await delay(50);
      expect(requestTracker.inFlight).toBe(4);
      const other = await connect();
      await send(other, '/x', '/y');
      expect(await answers(other, 2)).toEqual(['/x', '/y']);
    });
  });
});
