import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { buildOnce, BuiltProgram } from '../support/built-server.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { requestBytes } from '../support/raw-http.js';

const REQUESTS = 5_000;
const GRACE_SECONDS = 3;

describe.each([
  ['in production', 'production'],
  ['for people', 'development'],
])('the log %s that nobody reads', (_name, nodeEnv) => {
  const database = useDatabase(createMigratedDatabase);
  let server: BuiltProgram;
  let port: number;

  beforeAll(buildOnce, 120_000);

  beforeEach(async () => {
    server = new BuiltProgram('main', {
      NODE_ENV: nodeEnv,
      LOG_LEVEL: 'info',
      LOG_BUFFER_LIMIT: '256k',
      SHUTDOWN_GRACE_SECONDS: String(GRACE_SECONDS),
      SHUTDOWN_DELAY_SECONDS: '0',
      ...database.environment,
    });
    port = Number(new URL(await server.listening()).port);
    await delay(300);
    server.stopReading();
  });

  afterEach(async () => {
    server.readOn();
    await server.kill('SIGKILL');
  });

  /** Each of them is a line of 400 bytes in the log. Resolves when all are answered. */
  async function sendRequests(): Promise<void> {
    const socket = connect(port, '127.0.0.1').resume();
    const path = `/${'a'.repeat(1_000)}`;
    socket.write(requestBytes('GET', path).repeat(REQUESTS - 1));
    socket.write(requestBytes('GET', path, ['Connection: close']));
    await once(socket, 'close');
  }

  test('keeps a bounded part of it, and tells how many lines were lost once it is read again', async () => {
    await sendRequests();
    const before = server.answered.length;
    server.readOn();
    for (let waited = 0; waited < 5_000 && !server.answered.includes('were lost'); waited += 50) await delay(50);
    await delay(300);
    const lines = server.answered.split('\n');
    const losses = lines.filter((line) => line.includes('were lost'));
    expect(losses).toHaveLength(1);
    const lost = Number(/"?lost"?: ?(?<count>[0-9]+)/.exec(losses[0]!)?.groups?.['count']);
    expect(lines.filter((line) => line.includes('/aaa')).length + lost).toBe(REQUESTS);
    // What the pipe and this process held, and what waited.
    expect(server.answered.length - before).toBeLessThan(1024 ** 2);
  });

  test('does not keep the process from ending in time', async () => {
    await sendRequests();
    const signalled = performance.now();
    server.signal('SIGTERM');
    expect(await server.exitCode()).toBe(0);
    expect(performance.now() - signalled).toBeLessThan(GRACE_SECONDS * 1_000);
  });
});
