import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { buildOnce, BuiltProgram } from '../support/built-program.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { RawConnection, requestBytes } from '../support/raw-http.js';
import { TEST_API_KEY } from '../support/running-app.js';
import { untilBlocked } from '../support/database-client.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;
const LIST = requestBytes('GET', '/v1/pets', [KEY]);
const READY = requestBytes('GET', '/health/ready');
const LIVE = requestBytes('GET', '/health/live');

beforeAll(async () => {
  await buildOnce();
}, 120_000);

describe('the server that is told to stop', () => {
  const database = useDatabase(createMigratedDatabase);
  let server: BuiltProgram;
  let locker: pg.Client;
  const connections: RawConnection[] = [];

  beforeEach(async () => {
    locker = new pg.Client({ connectionString: database.url });
    await locker.connect();
  });

  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close();
    await locker.end();
    await server.kill('SIGKILL');
  });

  async function start(variables: Record<string, string>): Promise<URL> {
    server = new BuiltProgram('main', {
      NODE_ENV: 'production',
      BOOTSTRAP_API_KEY: TEST_API_KEY,
      SHUTDOWN_DELAY_SECONDS: '0',
      SHUTDOWN_GRACE_SECONDS: '10',
      LOG_LEVEL: 'info',
      ...database.environment,
      ...variables,
    });
    return new URL(await server.listening());
  }

  async function connect({ port }: URL): Promise<RawConnection> {
    const connection = await RawConnection.open(Number(port));
    connections.push(connection);
    return connection;
  }

  /** A used connection that both sides keep alive. */
  async function keptAlive(url: URL): Promise<RawConnection> {
    const connection = await connect(url);
    connection.send(LIST);
    expect((await connection.response()).headers.get('connection')).toBe('keep-alive');
    return connection;
  }

  /** A connection whose request waits until {@link letGo}. */
  async function withRequestUnderWay(url: URL): Promise<RawConnection> {
    const connection = await connect(url);
    await locker.query('begin; lock table pets in access exclusive mode');
    connection.send(LIST);
    await untilBlocked(database.url);
    return connection;
  }

  async function letGo(): Promise<void> {
    await locker.query('rollback');
  }

  test('serves on while it is not ready, and lets its connections end', async () => {
    const url = await start({ SHUTDOWN_DELAY_SECONDS: '2' });
    const [kept, probe] = [await keptAlive(url), await connect(url)];
    server.signal('SIGTERM');
    await server.untilPrinted(/Not ready any more/);

    probe.send(READY);
    const down = await probe.response();
    expect(await readError(down)).toMatchObject({ code: 'service_unavailable', status: 503 });
    kept.send(LIST);
    const answer = await kept.response();
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await kept.untilClosed();
    const newcomer = await connect(url);
    newcomer.send(LIST);
    expect((await newcomer.response()).status).toBe(200);
    const liveness = await connect(url);
    liveness.send(LIVE);
    expect((await liveness.response()).status).toBe(200);

    expect(await server.ended()).toBe(0);
  });

  test('finishes what is under way, and answers a late request on a connection that was kept alive with an Error', async () => {
    const url = await start({});
    const [kept, stranger] = [await keptAlive(url), await keptAlive(url)];
    const busy = await withRequestUnderWay(url);
    server.signal('SIGTERM');
    await server.untilPrinted(/No longer listening/);

    kept.send(LIST);
    stranger.send(requestBytes('GET', '/v1/pets'));
    for (const late of [kept, stranger]) {
      const answer = await late.response();
      expect(await readError(answer)).toMatchObject({ code: 'service_unavailable', status: 503 });
      expect(answer.headers.get('connection')).toBe('close');
      expect(answer.headers.get('retry-after')).toBe('1');
      await late.untilClosed();
    }
    await letGo();
    const answer = await busy.response();
    expect([answer.status, answer.headers.get('connection'), answer.text()]).toEqual([200, 'close', '[]']);
    await busy.untilClosed();
    expect(await server.ended()).toBe(0);
    expect(server.printed.match(/"path":"\/v1\/pets","status":503/g)).toHaveLength(2);
  });

  test('does not carry out what was sent behind a request whose answer ends the connection', async () => {
    const url = await start({ SHUTDOWN_DELAY_SECONDS: '2' });
    const busy = await withRequestUnderWay(url);
    server.signal('SIGTERM');
    await server.untilPrinted(/Not ready any more/);
    const body = '{"name":"Behind","categoryId":7}';
    busy.send(
      requestBytes('POST', '/v1/pets', [KEY, 'Content-Type: application/json', `Content-Length: ${body.length}`], body),
    );
    // A later arrival would not be carried out either.
    await delay(200);
    await letGo();
    expect((await busy.response()).status).toBe(200);
    await busy.untilClosed();
    expect(await server.ended()).toBe(0);
    expect((await locker.query('select name from pets')).rows).toEqual([]);
  });

  test('waits for idle connections no longer than a moment', async () => {
    // The test does not last as long as the grace.
    const url = await start({ SHUTDOWN_GRACE_SECONDS: '120' });
    await keptAlive(url);
    server.signal('SIGTERM');
    expect(await server.ended()).toBe(0);
  });

  test('cuts a client off that never finishes its request, tells so in the log, and still exits with 0', async () => {
    const url = await start({ SHUTDOWN_GRACE_SECONDS: '3' });
    const hanging = await connect(url);
    hanging.send(
      requestBytes('POST', '/v1/pets', [
        KEY,
        'Content-Type: application/json',
        'Content-Length: 99',
        'Expect: 100-continue',
      ]),
    );
    expect((await hanging.response()).status).toBe(100);
    server.signal('SIGTERM');
    expect(await server.ended()).toBe(0);
    expect(server.printed).toMatch(/"method":"POST","path":"\/v1\/pets".*cut off/);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('exits with 0 at %s, also when it comes twice at once', async (signal) => {
    // npm forwards a signal to a process that has already received this signal from the terminal.
    await start({ LOG_LEVEL: 'warn' });
    server.signal(signal);
    server.signal(signal);
    const code = await server.ended();
    expect({ code, printed: code === 0 ? '' : server.printed }).toEqual({ code: 0, printed: '' });
  });

  test('exits at once at a second signal', async () => {
    await start({ SHUTDOWN_DELAY_SECONDS: '9' });
    server.signal('SIGTERM');
    await server.untilPrinted(/Not ready any more/);
    // A signal that npm repeats comes sooner.
    await delay(1_100);
    server.signal('SIGTERM');
    expect(await server.ended()).toBe(143);
  });
});
