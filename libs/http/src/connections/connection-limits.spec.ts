import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../../../../test/support/listen.js';
import { INACTIVITY, closeInactiveConnections, limitUnreadResponses } from './connection-limits.js';
import { RequestTracker } from './request-tracker.js';

const MEBIBYTE = 1024 ** 2;
/** More than the kernel takes off the hands of the service. */
const LARGE = 32 * MEBIBYTE;
const CHECK_MS = 20;

describe('limitUnreadResponses', () => {
  let server: Server;
  let requestTracker: RequestTracker;
  const clients: Socket[] = [];

  async function start(limit: number): Promise<number> {
    requestTracker = new RequestTracker();
    const large = Buffer.alloc(LARGE);
    server = createServer((request, response) => {
      requestTracker.begin(response);
      response.end(request.url === '/large' ? large : 'small');
    });
    requestTracker.attach(server);
    limitUnreadResponses(server, requestTracker, limit, CHECK_MS);
    return await listen(server);
  }

  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
    server.close();
  });

  async function ask(port: number, path: string): Promise<Socket> {
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    clients.push(client);
    client.write(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`);
    await once(server, 'request');
    return client;
  }

  /** A busy machine takes its time to close what is to be closed. */
  async function untilOpen(count: number): Promise<void> {
    while (requestTracker.openConnections > count) await delay(CHECK_MS);
  }

  test('closes the connections on which most is unread, until the rest is little enough', async () => {
    const port = await start(2.5 * LARGE);
    for (let count = 0; count < 4; count++) await ask(port, '/large');
    await untilOpen(2);
    await delay(10 * CHECK_MS);
    expect(requestTracker.openConnections).toBe(2);
  });

  test('closes nothing while what is unread is little enough', async () => {
    const port = await start(2.5 * LARGE);
    for (let count = 0; count < 2; count++) await ask(port, '/large');
    await delay(10 * CHECK_MS);
    expect(requestTracker.openConnections).toBe(2);
  });

  test('leaves those alone that read', async () => {
    const port = await start(MEBIBYTE);
    const reader = await ask(port, '/small');
    await ask(port, '/large');
    await untilOpen(1);
    await delay(10 * CHECK_MS);
    expect([requestTracker.openConnections, String(reader.read())]).toEqual([1, expect.stringContaining('small')]);
  });
});

const AFTER_MS = 600;
const GET = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n';

describe('a connection on which nothing moves', () => {
  let server: Server;
  let requestTracker: RequestTracker;
  let client: Socket;
  let answer: string;

  beforeEach(async () => {
    answer = 'answered';
    requestTracker = new RequestTracker();
    server = createServer((request, response) => {
      requestTracker.begin(response);
      request.resume().on('end', () => response.end(answer));
    });
    requestTracker.attach(server);
    closeInactiveConnections(server, requestTracker, { afterMs: AFTER_MS, checkMs: 20 });
    client = connect(await listen(server), '127.0.0.1').on('error', () => undefined);
    await once(client, 'connect');
  });

  afterEach(() => {
    client.destroy();
    server.close();
    server.closeAllConnections();
  });

  /** Ends when the server has closed the connection; otherwise the test fails by its time limit. */
  async function untilClosed(): Promise<void> {
    while (requestTracker.openConnections > 0) await delay(10);
  }

  test('is closed, as when it sends no further request', async () => {
    client.write(GET);
    await once(client, 'data');
    expect(requestTracker.openConnections).toBe(1);
    await untilClosed();
  });

  test('is closed when it never sends a request', async () => {
    await untilClosed();
    expect(requestTracker.openConnections).toBe(0);
  });

  test('is closed when it does not read its answers', async () => {
    // More than the buffers of the two kernels hold.
    answer = 'x'.repeat(32 * 1024 ** 2);
    client.pause();
    client.write(GET);
    await untilClosed();
    expect(requestTracker.openConnections).toBe(0);
  });

  test('stays while a body comes in, however slowly', async () => {
    client.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 8\r\n\r\n');
    for (let sent = 0; sent < 8; sent++) {
      await delay(AFTER_MS / 5);
      client.write('x');
    }
    expect(String((await once(client, 'data'))[0])).toContain('200 OK');
  });

  test('stays while it is used again and again', async () => {
    for (let request = 0; request < 8; request++) {
      await delay(AFTER_MS / 5);
      client.write(GET);
      await once(client, 'data');
    }
    expect(requestTracker.openConnections).toBe(1);
  });

  test('has longer than the 60 seconds of a balancer', () => {
    expect(INACTIVITY.afterMs).toBeGreaterThan(60_000);
  });
});
