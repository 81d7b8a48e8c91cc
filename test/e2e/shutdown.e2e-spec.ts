import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { JsonExpressAdapter } from '@animal-store/http';
import { shutDown } from '../../libs/http/src/shutdown.js';
import { untilBlocked } from '../support/database-client.js';
import { createMigratedDatabase, useDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { RawConnection, requestBytes } from '../support/raw-http.js';
import { startApp, TEST_API_KEY, type RunningApp } from '../support/running-app.js';
import { sendRequest } from '../support/send-request.js';

const KEY = `Authorization: Bearer ${TEST_API_KEY}`;
const LIST = requestBytes('GET', '/v1/pets', [KEY]);
const READY = requestBytes('GET', '/health/ready');
const LIVE = requestBytes('GET', '/health/live');

/** What signals do with it: `shutdown.program-spec.ts`. */
describe('the service that shuts down', () => {
  const database = useDatabase(createMigratedDatabase);
  let app: RunningApp;
  let locker: pg.Client;
  const connections: RawConnection[] = [];

  beforeEach(async () => {
    locker = new pg.Client({ connectionString: database.url });
    await locker.connect();
    app = await startApp(database);
  });

  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.close();
    await locker.end();
    await app.close();
  });

  /** Resolves at the end. */
  function stop(delaySeconds = 0, graceSeconds = 10): Promise<void> {
    return shutDown(app.app, { delaySeconds, graceSeconds });
  }

  /** Resolves when the service accepts no more connections. */
  async function untilItListensNoMore(): Promise<void> {
    while (app.app.getHttpServer().listening) await delay(5);
  }

  async function connect(): Promise<RawConnection> {
    const connection = await RawConnection.open(app.port);
    connections.push(connection);
    return connection;
  }

  /** A used connection that both sides keep alive. */
  async function keptAlive(): Promise<RawConnection> {
    const connection = await connect();
    connection.send(LIST);
    expect((await connection.response()).headers.get('connection')).toBe('keep-alive');
    return connection;
  }

  /** A connection whose request waits until {@link letGo}. */
  async function withRequestUnderWay(): Promise<RawConnection> {
    const connection = await connect();
    await locker.query('begin; lock table pets in access exclusive mode');
    connection.send(LIST);
    await untilBlocked(database.url);
    return connection;
  }

  /** Sends one request after the other until one is not served. Resolves with the reason. */
  async function untilItFails(agent: Agent): Promise<string | undefined> {
    const list = { method: 'GET', path: '/v1/pets', headers: { authorization: `Bearer ${TEST_API_KEY}` } };
    for (;;) {
      try {
        const { status } = await sendRequest(app.url, agent, list);
        if (status !== 200) return `status ${status}`;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code;
      }
    }
  }

  async function letGo(): Promise<void> {
    await locker.query('rollback');
  }

  test('serves on while it is not ready', async () => {
    const [kept, probe] = [await keptAlive(), await connect()];
    const end = stop(2);

    probe.send(READY);
    expect(await readError(await probe.response())).toMatchObject({ code: 'service_unavailable', status: 503 });
    kept.send(LIST);
    const answer = await kept.response();
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'keep-alive']);
    for (const request of [LIST, LIVE]) {
      const newcomer = await connect();
      newcomer.send(request);
      expect((await newcomer.response()).status).toBe(200);
    }
    await end;
  });

  test('finishes what is under way, and serves a late request on a connection that was kept alive', async () => {
    const kept = await keptAlive();
    const busy = await withRequestUnderWay();
    const end = stop();
    await untilItListensNoMore();

    kept.send(LIVE);
    await letGo();
    for (const connection of [kept, busy]) {
      const answer = await connection.response();
      expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
      await connection.untilClosed();
    }
    await end;
  });

  test('answers a still later request with an Error, while what is under way keeps the service up', async () => {
    const [kept, stranger] = [await keptAlive(), await keptAlive()];
    const busy = await withRequestUnderWay();
    const observed: number[] = [];
    const { requestTracker } = app.app.getHttpAdapter() as unknown as JsonExpressAdapter;
    requestTracker.observe(({ response }) => observed.push(response.statusCode));
    const end = stop();
    await untilItListensNoMore();
    // Longer than late requests are served.
    await delay(1_500);

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
    await end;
    expect(observed).toEqual([503, 503, 200]);
  });

  test.each([0, 1])(
    'fails no request of clients that know no other instance, with a delay of %d s',
    async (seconds) => {
      const agent = new Agent({ keepAlive: true });
      const ends = Array.from({ length: 32 }, () => untilItFails(agent));
      const { requestTracker } = app.app.getHttpAdapter() as unknown as JsonExpressAdapter;
      // The kernel resets a connection that is still waiting to be accepted.
      while (requestTracker.openConnections < ends.length) await delay(20);
      await stop(seconds);
      expect(new Set(await Promise.all(ends))).toEqual(new Set(['ECONNREFUSED']));
      agent.destroy();
    },
  );

  test('does not carry out what was sent behind a request whose answer ends the connection', async () => {
    const busy = await withRequestUnderWay();
    const end = stop();
    await untilItListensNoMore();
    const body = '{"name":"Behind","categoryId":7}';
    busy.send(
      requestBytes('POST', '/v1/pets', [KEY, 'Content-Type: application/json', `Content-Length: ${body.length}`], body),
    );
    // A later arrival would not be carried out either.
    await delay(200);
    await letGo();
    expect((await busy.response()).status).toBe(200);
    await busy.untilClosed();
    await end;
    expect((await locker.query('select name from pets')).rows).toEqual([]);
  });

  test('waits for idle connections no longer than a moment', async () => {
    await keptAlive();
    // The test does not last as long as the grace.
    await expect(stop(0, 120)).resolves.toBeUndefined();
  });
});
