import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildOnce, BuiltProgram } from '../support/built-program.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';

const REQUESTS = 10_000;
const AT_ONCE = 50;
const GRACE_SECONDS = 3;

describe.each([
  ['in production', 'production'],
  ['for people', 'development'],
])('a server %s whose standard output nobody reads any more', (_name, NODE_ENV) => {
  const database = useDatabase(createMigratedDatabase);
  let server: BuiltProgram;

  beforeAll(buildOnce, 120_000);

  async function start(variables: Record<string, string>): Promise<string> {
    server = new BuiltProgram('main', { NODE_ENV, ...variables, ...database.environment });
    const url = await server.listening();
    server.closeOutput();
    return url;
  }

  afterEach(async () => {
    await server.kill('SIGKILL');
  });

  test.each(['info', 'warn'])('serves on, and ends at SIGTERM within the grace, at LOG_LEVEL=%s', async (LOG_LEVEL) => {
    const url = await start({ LOG_LEVEL, SHUTDOWN_DELAY_SECONDS: '0', SHUTDOWN_GRACE_SECONDS: String(GRACE_SECONDS) });
    const statuses = [];
    for (let sent = 0; sent < 20; sent += 1) statuses.push((await fetch(`${url}/health/live`)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    server.signal('SIGTERM');
    expect(await server.exitCode()).toBe(0);
  });

  test('ends at once at a second SIGTERM, also where its line is the first that nobody reads', async () => {
    await start({ LOG_LEVEL: 'warn', SHUTDOWN_DELAY_SECONDS: '9', SHUTDOWN_GRACE_SECONDS: '10' });
    server.signal('SIGTERM');
    await delay(1_200);
    server.signal('SIGTERM');
    expect(await server.exitCode()).toBe(143);
  });
});

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

  /** Sends requests that each write a line of 400 bytes to the log. Resolves when all requests have been answered. */
  async function sendRequests(): Promise<void> {
    const url = `http://127.0.0.1:${port}/${'a'.repeat(1_000)}`;
    for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
      const responses = await Promise.all(Array.from({ length: AT_ONCE }, () => fetch(url)));
      await Promise.all(responses.map((response) => response.arrayBuffer()));
    }
  }

  test('keeps a bounded part of it, and tells how many lines were lost once it is read again', async () => {
    await sendRequests();
    const before = server.standardOutput.length;
    server.readOn();
    for (let waited = 0; waited < 5_000 && !server.standardOutput.includes('were lost'); waited += 50) await delay(50);
    await delay(300);
    const lines = server.standardOutput.split('\n');
    const losses = lines.filter((line) => line.includes('were lost'));
    expect(losses).toHaveLength(1);
    const lost = Number(/"?lost"?: ?(?<count>[0-9]+)/.exec(losses[0]!)?.groups?.['count']);
    expect(lines.filter((line) => line.includes('/aaa')).length + lost).toBe(REQUESTS);
    // The rest of the output was held by the pipe, by this process and by the buffer of the log.
    expect(server.standardOutput.length - before).toBeLessThan(2 * 1024 ** 2);
  });

  test('does not keep the process from ending in time', async () => {
    await sendRequests();
    server.signal('SIGTERM');
    expect(await server.exitCode()).toBe(0);
  });
});

/** Linux has a device that is always full. */
(existsSync('/dev/full') ? describe : describe.skip)('a server whose log the disk has no room for', () => {
  const database = useDatabase(createMigratedDatabase);

  beforeAll(buildOnce, 120_000);

  test('serves on', async () => {
    const full = openSync('/dev/full', 'w');
    const port = await freePort();
    const server = spawn(process.execPath, [join(import.meta.dirname, '../../dist/apps/api/src/main.js')], {
      env: { NODE_ENV: 'production', PORT: String(port), ...database.environment },
      stdio: ['ignore', full, 'ignore'],
    });
    closeSync(full);
    const statuses = [];
    while (statuses.length < 20 && server.exitCode === null) {
      const answer = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined);
      if (answer === undefined) await delay(50);
      else statuses.push(answer.status);
    }
    server.kill('SIGKILL');
    expect(statuses).toEqual(Array<number>(20).fill(200));
  });
});
