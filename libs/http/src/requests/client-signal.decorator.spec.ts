import { once } from 'node:events';
import { createServer, get, type Server, type ServerResponse } from 'node:http';
import { listen } from '../../../../test/support/listen.js';
import { RequestSignal } from './client-signal.decorator.js';

describe('the signal of a request', () => {
  let server: Server;
  let port: number;

  beforeEach(async () => {
    server = createServer();
    port = await listen(server);
  });

  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  /** A request that waits for its answer. */
  async function openRequest() {
    const arrived = once(server, 'request') as Promise<[unknown, ServerResponse]>;
    const client = get({ port, host: '127.0.0.1' }).on('error', () => undefined);
    const [, response] = await arrived;
    const leave = async (): Promise<void> => {
      const closed = once(response, 'close');
      client.destroy();
      await closed;
    };
    return { client, response, signal: new RequestSignal(response), leave };
  }

  test('is not aborted while the client waits', async () => {
    const { signal } = await openRequest();
    expect([signal.aborted, signal.toAbortSignal().aborted]).toEqual([false, false]);
  });

  test('is aborted when the client went away', async () => {
    const { signal, leave } = await openRequest();
    await leave();
    expect([signal.aborted, signal.toAbortSignal().aborted]).toEqual([true, true]);
  });

  test('is not aborted by the end of the answer', async () => {
    const { client, response, signal } = await openRequest();
    const taken = signal.toAbortSignal();
    client.on('response', (answer) => answer.resume());
    const closed = once(response, 'close');
    response.end('{}');
    await closed;
    const later = new RequestSignal(response).toAbortSignal();
    expect([signal.aborted, taken.aborted, later.aborted]).toEqual([false, false, false]);
  });
});
