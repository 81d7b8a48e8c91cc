import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiKey, ApiKeys, generateApiKey, hashApiKey } from '@animal-store/auth';
import { createEmbeddedDatabase, createMigratedDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { metricsUrl, Scrape, WITH_METRICS } from '../support/metrics.js';
import { RequestMetrics } from '../../apps/api/src/metrics/request-metrics.js';
import { startApp, useApp, type RequestOptions } from '../support/running-app.js';

const DURATION_COUNT = 'animal_store_http_request_duration_seconds_count';
const STORED_KEY = generateApiKey('test');

const app = useApp(createMigratedDatabase, WITH_METRICS);

beforeAll(async () => {
  await app.app.get(ApiKeys, { strict: false }).put(new ApiKey('shop', hashApiKey(STORED_KEY)));
});

/** Sends a request, and waits until the server knows that its answer is out. */
async function send(path: string, options: RequestOptions = {}): Promise<void> {
  await (await app.request(path, options)).text();
  await delay(20);
}

/** How much one line rises while `act` runs. */
async function riseOf(name: string, labels: Record<string, string>, act: () => Promise<unknown>): Promise<number> {
  const before = (await Scrape.of(app.app)).value(name, labels) ?? 0;
  await act();
  return ((await Scrape.of(app.app)).value(name, labels) ?? 0) - before;
}

describe('the port of the metrics', () => {
  test('is bound to loopback unless told otherwise', () => {
    expect(metricsUrl(app.app)).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
  });

  test('answers in the format of Prometheus, without a key', async () => {
    const answer = await fetch(metricsUrl(app.app));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
  });

  test.each(['/', '/v1/pets', '/metrics/', '/health/live'])('has nothing at %s', async (path) => {
    const answer = await fetch(new URL(path, metricsUrl(app.app)));
    expect(await readError(answer)).toMatchObject({ code: 'not_found', status: 404 });
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('does not take %s', async (method) => {
    const answer = await fetch(metricsUrl(app.app), { method });
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
    expect(await readError(answer)).toMatchObject({ code: 'method_not_allowed', status: 405 });
  });

  test('is not where the API is', async () => {
    expect((await app.request('/metrics', { key: null })).status).toBe(404);
  });
});

test('only counters have the ending of counters', async () => {
  const { text } = await Scrape.of(app.app);
  const misnamed = [...text.matchAll(/^# TYPE (?<name>\S+_total) (?<type>\S+)$/gm)].filter(
    ([, , type]) => type !== 'counter',
  );
  expect(misnamed.map(([line]) => line)).toEqual([]);
});

describe('without METRICS_PORT', () => {
  test('no metrics are served, and nothing counts the requests for them', async () => {
    const other = await createMigratedDatabase();
    const plain = await startApp(other);
    expect(() => metricsUrl(plain.app)).toThrow('does not exist');
    expect(() => plain.app.get(RequestMetrics, { strict: false })).toThrow('does not exist');
    await plain.close();
    await other.remove();
  });
});

describe('the duration of requests', () => {
  const json = { 'content-type': 'application/json' };

  test.each<[string, RequestOptions, Record<string, string>]>([
    ['/v1/pets?limit=5', {}, { route: '/v1/pets', method: 'GET', status: '200' }],
    ['/v1/pets', { method: 'HEAD' }, { route: '/v1/pets', method: 'HEAD', status: '200' }],
    ['/v1/pets?limit=0', {}, { route: '/v1/pets', method: 'GET', status: '400' }],
    [
      '/v1/pets',
      { method: 'POST', headers: json, body: '{"name":"Rex","categoryId":7}' },
      { route: '/v1/pets', method: 'POST', status: '201' },
    ],
    ['/v1/pets/9007199254740993', {}, { route: '/v1/pets/:petId', method: 'GET', status: '404' }],
    ['/v1/pets', { key: null }, { route: '/v1/pets', method: 'GET', status: '401' }],
    ['/health/live', { key: null }, { route: '/health/live', method: 'GET', status: '200' }],
    ['/docs/swagger-ui.css', { key: null }, { route: '/docs/{:file}', method: 'GET', status: '200' }],
  ])('of %s, %p, counts under %p', async (path, options, labels) => {
    expect(await riseOf(DURATION_COUNT, labels, () => send(path, options))).toBe(1);
  });

  test.each<[string, Record<string, string>]>([
    ['/nowhere', { status: '404' }],
    ['/v1/nowhere/at/all', { status: '404' }],
    ['/v1/pets/1/2', { status: '404' }],
  ])('of %s counts under one label with all that has no route', async (path, labels) => {
    const all = { route: 'other', method: 'GET', ...labels };
    expect(await riseOf(DURATION_COUNT, all, () => send(path))).toBe(1);
  });

  test('of a method that is unknown counts under one label', async () => {
    const labels = { route: 'other', method: 'other', status: '405' };
    expect(await riseOf(DURATION_COUNT, labels, () => send('/v1/pets', { method: 'PROPFIND' }))).toBe(1);
  });

  test('of a request that the client gave up counts as aborted', async () => {
    const labels = { route: '/v1/pets', method: 'POST', status: 'aborted' };
    const rise = await riseOf(DURATION_COUNT, labels, async () => {
      const socket = connect(app.port, '127.0.0.1');
      await once(socket, 'connect');
      socket.write(
        `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${STORED_KEY}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      );
      await delay(200);
      socket.destroy();
      await delay(50);
    });
    expect(rise).toBe(1);
  });

  test('is in seconds, and falls into cumulative buckets', async () => {
    await send('/v1/pets');
    const scrape = await Scrape.of(app.app);
    const labels = { route: '/v1/pets', method: 'GET', status: '200' };
    const name = 'animal_store_http_request_duration_seconds';
    const count = scrape.value(`${name}_count`, labels)!;
    const buckets = ['0.001', '0.01', '0.1', '1', '10', '+Inf'].map((le) =>
      scrape.value(`${name}_bucket`, { ...labels, le })!,
    );
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
    expect(buckets.at(-1)).toBe(count);
    expect(scrape.value(`${name}_sum`, labels)! / count).toBeLessThan(1);
  });
});

describe('the counts', () => {
  test('tell who calls a deprecated operation, by the name of the key', async () => {
    const labels = { route: '/v1/pets/:petId', key: 'shop' };
    const rise = await riseOf('animal_store_deprecated_requests_total', labels, async () => {
      await send('/v1/pets/1', { key: STORED_KEY });
      await send('/v1/pets/2', { key: STORED_KEY, method: 'HEAD' });
      await send('/v1/pets', { key: STORED_KEY });
      await send('/v1/pets/1', { key: null });
    });
    expect(rise).toBe(2);
  });

  test('tell when a deprecated operation will be gone', async () => {
    const value = (await Scrape.of(app.app)).value('animal_store_route_sunset_timestamp_seconds', {
      route: '/v1/pets/:petId',
    });
    expect(value).toBe(Date.UTC(2030, 11, 5) / 1000);
  });

  test.each<[string, string, string, RequestOptions]>([
    ['unauthorized', '/v1/pets', '/v1/pets', { key: 'no-key-of-this-service' }],
    ['invalid_request', '/v1/pets', '/v1/pets?limit=0', {}],
    ['not_found', 'other', '/nowhere', {}],
    ['method_not_allowed', 'other', '/v1/pets', { method: 'DELETE' }],
  ])('have the errors with the code %s', async (code, route, path, options) => {
    expect(await riseOf('animal_store_http_errors_total', { code, route }, () => send(path, options))).toBe(1);
  });

  test('have the connections that brought no request', async () => {
    const rise = await riseOf('animal_store_http_refused_connections_total', {}, async () => {
      const socket = connect(app.port, '127.0.0.1');
      socket.end('this is no HTTP\r\n\r\n');
      socket.resume();
      await once(socket, 'close');
    });
    expect(rise).toBe(1);
  });

  test('have not the connections that their clients reset', async () => {
    const rise = await riseOf('animal_store_http_refused_connections_total', {}, async () => {
      for (const sent of ['', 'GET /health/live HTTP/1.1\r\nHo', 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n']) {
        const socket = connect(app.port, '127.0.0.1');
        await once(socket, 'connect');
        socket.write(sent);
        await delay(50);
        socket.resetAndDestroy();
        await delay(50);
      }
    });
    expect(rise).toBe(0);
  });
});

describe('the state of the service', () => {
  test('has the requests that are under way', async () => {
    const socket = connect(app.port, '127.0.0.1');
    const during = await riseOf('animal_store_http_requests_in_flight', {}, async () => {
      socket.write(
        `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${STORED_KEY}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      );
      await delay(200);
    });
    const after = await riseOf('animal_store_http_requests_in_flight', {}, async () => {
      socket.destroy();
      await delay(50);
    });
    expect([during, after]).toEqual([1, -1]);
  });

  test('has the pool, the batches and the event loop', async () => {
    await send('/v1/pets');
    const scrape = await Scrape.of(app.app);
    expect(scrape.value('animal_store_database_ready')).toBe(1);
    expect(scrape.value('animal_store_database_pool_connections_max')).toBe(10);
    expect(scrape.value('animal_store_database_pool_connections_open')).toBeGreaterThan(0);
    expect(scrape.value('animal_store_database_pool_connections_waiting')).toBe(0);
    expect(scrape.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(scrape.value('process_resident_memory_bytes')).toBeGreaterThan(0);
    for (const statement of ['find_pets', 'find_pages', 'add_pets']) {
      expect(scrape.value('animal_store_batch_queue_length', { statement })).toBe(0);
      expect(scrape.value('animal_store_batch_statements_in_flight', { statement })).toBe(0);
      expect(scrape.value('animal_store_batch_queue_limit', { statement })).toBeGreaterThan(0);
    }
  });

  test('has the sizes of the batches: how many calls came, in how many statements', async () => {
    const labels = { statement: 'find_pages' };
    const calls = await riseOf('animal_store_batch_size_sum', labels, () =>
      Promise.all(Array.from({ length: 8 }, () => send('/v1/pets'))),
    );
    const statements = await riseOf('animal_store_batch_size_count', labels, () => send('/v1/pets'));
    expect([calls, statements]).toEqual([8, 1]);
  });

  test('says that an embedded database is ready, and nothing of a pool that it has not', async () => {
    const embedded = createEmbeddedDatabase();
    const other = await startApp(embedded, WITH_METRICS);
    const scrape = await Scrape.of(other.app);
    await other.close();
    await embedded.remove();
    expect(scrape.value('animal_store_database_ready')).toBe(1);
    expect(scrape.value('animal_store_database_pool_connections_max')).toBeUndefined();
  });

  test('says that the database is not ready when it is away', async () => {
    const gone = await createMigratedDatabase();
    const other = await startApp(gone, WITH_METRICS);
    await gone.remove();
    const scrape = await Scrape.of(other.app);
    await other.close();
    expect(scrape.value('animal_store_database_ready')).toBe(0);
  });
});

describe('what is built on the metrics', () => {
  const DEPLOY = join(import.meta.dirname, '../../deploy');
  /** What Prometheus itself knows of a target. */
  const OF_PROMETHEUS = ['up'];

  /** The metrics that a file of rules or panels names. */
  function namesIn(file: string): string[] {
    const text = readFileSync(join(DEPLOY, file), 'utf8');
    return [...new Set(text.match(/\b(?:animal_store|nodejs|process)_[a-z0-9_]+\b/g))];
  }

  test.each(['prometheus/alerts.yaml', 'grafana/animal-store.json'])(
    'in %s is measured by the service',
    async (file) => {
      const { names } = await Scrape.of(app.app);
      const known = new Set([
        ...OF_PROMETHEUS,
        ...names.flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]),
      ]);
      const used = namesIn(file);
      expect(used.length).toBeGreaterThan(8);
      expect(used.filter((name) => !known.has(name))).toEqual([]);
    },
  );
});
