import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Counter } from 'prom-client';
import { ApiKey, ApiKeyAdministration, ApiKeys, generateApiKey, hashApiKey } from '@animal-store/auth';
import { createMigratedDatabase } from '../support/databases.js';
import { readError } from '../support/error-body.js';
import { metricsUrl, Scrape, WITH_METRICS } from '../support/scraped-metrics.js';
import { withClient } from '../support/database-client.js';
import { requestBytes } from '../support/raw-http.js';
import { useApp, type RequestOptions } from '../support/running-app.js';

const { jest } = import.meta;

const DURATION_COUNT = 'animal_store_http_request_duration_seconds_count';
const STORED_KEY = generateApiKey('test');

const app = useApp(createMigratedDatabase, WITH_METRICS);

beforeAll(async () => {
  await app.app.get(ApiKeyAdministration, { strict: false }).create(new ApiKey('shop', hashApiKey(STORED_KEY)), 'test');
});

/** Sends a request, and waits until the server has noticed that the response is sent. */
async function send(path: string, options: RequestOptions = {}): Promise<void> {
  await (await app.request(path, options)).text();
  await delay(20);
}

/** The increase of one time series while `act` runs. */
async function riseOf(name: string, labels: Record<string, string>, act: () => Promise<unknown>): Promise<number> {
  const before = (await Scrape.of(app.app)).value(name, labels) ?? 0;
  await act();
  return ((await Scrape.of(app.app)).value(name, labels) ?? 0) - before;
}

describe('the metrics of API keys', () => {
  const keys = () => app.app.get(ApiKeyAdministration, { strict: false });

  test('tell when the next key expires that has no younger one', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000);
    await keys().create(new ApiKey('ending shop', hashApiKey(generateApiKey('test')), expiresAt), 'test');
    const scrape = await Scrape.of(app.app);
    const seconds = scrape.value('animal_store_api_key_next_expiry_timestamp_seconds', { key: 'ending shop' });
    expect(seconds).toBe(expiresAt.getTime() / 1000);
  });
});

describe('the port of the metrics', () => {
  test('answers in the format of Prometheus, without a key', async () => {
    const answer = await fetch(metricsUrl(app.app));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
  });

  test('makes one text for all who ask while it is being made', async () => {
    const gate = Promise.withResolvers<undefined>();
    const reads = jest.spyOn(app.app.get(ApiKeys, { strict: false }), 'nextExpiry').mockReturnValue(gate.promise);
    const scrapes = Array.from({ length: 5 }, () => Scrape.of(app.app));
    await delay(200);
    gate.resolve(undefined);
    const texts = (await Promise.all(scrapes)).map(({ text }) => text);
    expect([reads.mock.calls.length, new Set(texts).size]).toEqual([1, 1]);
    expect((await Scrape.of(app.app)).text).not.toBe(texts[0]);
    reads.mockRestore();
  });

  test('has what a module measures, as prom-client teaches', async () => {
    const vaccinations = new Counter({ name: 'vaccinations_total', help: 'Vaccinations given.' });
    vaccinations.inc(3);
    const scrape = await Scrape.of(app.app);
    expect(scrape.value('vaccinations_total')).toBe(3);
    expect(scrape.value('animal_store_database_ready')).toBe(1);
  });
});

describe('the duration of requests', () => {
  const json = { 'content-type': 'application/json' };

  test.each<[string, RequestOptions, Record<string, string>]>([
    ['/v1/pets?limit=5', {}, { route: '/v1/pets', method: 'GET', status: '200' }],
    [
      '/v1/pets',
      { method: 'POST', headers: json, body: '{"name":"Rex","categoryId":7}' },
      { route: '/v1/pets', method: 'POST', status: '201' },
    ],
    ['/v1/pets', { key: null }, { route: '/v1/pets', method: 'GET', status: '401' }],
  ])('of %s, %p, counts under %p', async (path, options, labels) => {
    expect(await riseOf(DURATION_COUNT, labels, () => send(path, options))).toBe(1);
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

  test.each<[string, string, string, RequestOptions]>([
    ['unauthorized', '/v1/pets', '/v1/pets', { key: 'no-key-of-this-service' }],
    ['not_found', 'other', '/nowhere', {}],
    ['method_not_allowed', 'other', '/v1/pets', { method: 'DELETE' }],
  ])('have the errors with the code %s', async (code, route, path, options) => {
    expect(await riseOf('animal_store_http_errors_total', { code, route }, () => send(path, options))).toBe(1);
  });
});

describe('the errors of the database', () => {
  const failing = useApp(createMigratedDatabase, WITH_METRICS);
  const FAILING = `
    create function fail() returns trigger language plpgsql as $$ begin raise exception using errcode = '55P03'; end $$;
    create trigger fail before insert on pets for each row execute function fail()`;

  test('are counted by their reason, from zero, as are the responses to them on every route', async () => {
    const before = await Scrape.of(failing.app);
    for (const code of ['service_unavailable', 'internal_error'])
      for (const route of ['/v1/pets', '/v1/pets/:petId', '/health/ready', 'other'])
        expect(before.value('animal_store_http_errors_total', { code, route })).toBe(0);
    await withClient(failing.database.url, (client) => client.query(FAILING));
    const answer = await failing.createPet({ name: 'Rex', categoryId: 7 });
    expect(await readError(answer)).toMatchObject({ code: 'service_unavailable', status: 503 });
    const after = await Scrape.of(failing.app);
    const counted = ['connection', 'disk_full', 'lock_timeout'].map((reason) =>
      [before, after].map((scrape) => scrape.value('animal_store_database_errors_total', { reason })),
    );
    expect(counted).toEqual([
      [0, 0],
      [0, 0],
      [0, 1],
    ]);
  });
});

describe('the state of the service', () => {
  test('has the requests that are under way, and those that their clients gave up', async () => {
    const aborted = { route: '/v1/pets', method: 'POST', status: 'aborted' };
    const inFlight = (act: () => Promise<unknown>) => riseOf('animal_store_http_requests_in_flight', {}, act);
    const socket = connect(app.port, '127.0.0.1');
    const during = await inFlight(async () => {
      const headers = [`Authorization: Bearer ${STORED_KEY}`, 'Content-Type: application/json', 'Content-Length: 100'];
      socket.write(requestBytes('POST', '/v1/pets', headers, '{'));
      await delay(200);
    });
    const given = await riseOf(DURATION_COUNT, aborted, async () => {
      socket.resetAndDestroy();
      await delay(50);
    });
    expect([during, given, await inFlight(() => Promise.resolve())]).toEqual([1, 1, 0]);
  });

  test('has the pool, the waiting calls and the event loop', async () => {
    await send('/v1/pets');
    const scrape = await Scrape.of(app.app);
    expect(scrape.value('animal_store_database_ready')).toBe(1);
    expect(scrape.value('animal_store_database_pool_connections_max')).toBe(10);
    expect(scrape.value('animal_store_database_pool_connections_open')).toBeGreaterThan(0);
    expect(scrape.value('animal_store_database_pool_connections_waiting')).toBe(0);
    expect(scrape.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(scrape.value('process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(scrape.value('animal_store_log_lines_lost_total')).toBe(0);
    expect(scrape.text).toMatch(/^animal_store_waiting_calls\{statement="\w+"\} 0$/m);
  });
});

describe('what is built on the metrics', () => {
  const DEPLOY = join(import.meta.dirname, '../../deploy');
  const HISTOGRAM = 'animal_store_http_request_duration_seconds';

  /** The names of the metrics in a file of rules or panels. */
  function namesIn(file: string): string[] {
    const text = readFileSync(join(DEPLOY, file), 'utf8');
    return [...new Set(text.match(/\b(?:animal_store|nodejs|process)_[a-z0-9_]+\b/g))];
  }

  test('is measured, and beside the defaults of prom-client nothing else is', async () => {
    const { names } = await Scrape.of(app.app);
    const used = ['prometheus/alerts.yaml', 'grafana/animal-store.json']
      .flatMap(namesIn)
      .map((name) => (name.startsWith(HISTOGRAM) ? HISTOGRAM : name));
    const own = names.filter((name) => name.startsWith('animal_store_'));
    expect({
      missing: used.filter((name) => !names.includes(name)),
      unused: own.filter((name) => !used.includes(name)),
    }).toEqual({
      missing: [],
      unused: [],
    });
  });
});
