import { AnimalStore, NetworkError, TimeoutError, UnreadableResponseError } from '@animal-store/client';
import { TEST_API_KEY } from '@animal-store/testing';
import { FaultyProxy, type Fault } from './faulty-proxy.js';
import { allOf, failureOf, useBuiltServer } from './support.js';

const HTML = { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway</html>' };

describe('the client, through a proxy that fails', () => {
  const server = useBuiltServer();
  let proxy: FaultyProxy;
  let store: AnimalStore;

  beforeAll(async () => {
    proxy = await FaultyProxy.open(server.url);
    store = clientOf({});
  }, 120_000);

  afterEach(() => {
    const unused = proxy.faults.splice(0).length;
    if (unused > 0) throw new Error(`${unused} faults were not met`);
    proxy.requests.length = 0;
  });

  afterAll(() => {
    proxy.close();
  });

  function clientOf(options: { retries?: number; attemptTimeout?: number }): AnimalStore {
    return new AnimalStore({ baseUrl: proxy.url, apiKey: TEST_API_KEY, onDeprecation: () => undefined, ...options });
  }

  /** The values of this header field in the requests. */
  function sent(name: string): (string | undefined)[] {
    return proxy.requests.map(({ headers }) => headers[name] as string | undefined);
  }

  const LOST: Fault[] = ['refused', 'dropped', 'cut', 'shortened', HTML];

  test.each(LOST)('adds one animal though the answer is lost: %j', async (fault) => {
    const categoryId = BigInt(Date.now()) * 1_000_000n + BigInt(Math.floor(Math.random() * 1e6));
    proxy.faults = [fault, fault];
    const added = await store.pets.create({ name: 'Once', categoryId });
    const all = await allOf(store.pets.list({ limit: 100 }));
    expect(all.filter((animal) => animal.categoryId === categoryId)).toEqual([added]);
    const [key, ...others] = sent('idempotency-key').slice(0, 3);
    expect([key, others]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), [key, key]]);
    expect(new Set(sent('x-request-id').slice(0, 3)).size).toBe(1);
  });

  test('adds one animal though no answer comes', async () => {
    proxy.faults = ['silenced'];
    const added = await store.pets.create({ name: 'Silence', categoryId: 1 }, { attemptTimeout: 300 });
    const all = await allOf(store.pets.list({ limit: 100 }));
    expect(all.filter(({ name }) => name === 'Silence')).toEqual([added]);
  });

  test('sends the key that it is given, so that an addition can be taken up again after an error', async () => {
    const once = clientOf({ retries: 0 });
    proxy.faults = ['dropped'];
    const error = await failureOf(once.pets.create({ name: 'Taken up', categoryId: 1 }));
    expect(error).toBeInstanceOf(NetworkError);
    const { idempotencyKey } = error as NetworkError;
    const added = await once.pets.create({ name: 'Taken up', categoryId: 1 }, { idempotencyKey });
    const all = await allOf(store.pets.list({ limit: 100 }));
    expect(all.filter(({ name }) => name === 'Taken up')).toEqual([added]);
  });

  test.each(LOST)('reads a page though the answer is lost: %j', async (fault) => {
    await store.pets.create({ name: 'Any', categoryId: 1 });
    proxy.faults = [fault];
    const { items } = await store.pets.list({ limit: 1 }).page();
    expect(items).toHaveLength(1);
  });

  test.each([
    ['refused', NetworkError, undefined],
    ['dropped', NetworkError, undefined],
    ['silenced', TimeoutError, undefined],
    ['cut', UnreadableResponseError, 200],
    ['shortened', UnreadableResponseError, 200],
    [HTML, UnreadableResponseError, 502],
    [{ ...HTML, status: 200 }, UnreadableResponseError, 200],
    [{ status: 301, headers: { location: '/elsewhere' }, body: '' }, UnreadableResponseError, 301],
    [{ status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }, UnreadableResponseError, 200],
    [{ status: 500, headers: { 'content-type': 'application/json' }, body: 'null' }, UnreadableResponseError, 500],
    [{ status: 204, body: '' }, UnreadableResponseError, 204],
  ] as [Fault, new (...args: never[]) => Error, number | undefined][])(
    'gives up with an error that names the request, and shows no part of a page: %j',
    async (fault, type, status) => {
      proxy.faults = ['none', fault];
      await store.pets.create({ name: 'Any', categoryId: 1 });
      const pages = clientOf({ retries: 0, attemptTimeout: 500 }).pets.list({ limit: 1 }).pages();
      const error = await failureOf(allOf(pages));
      expect(error).toBeInstanceOf(type);
      const requestId = sent('x-request-id').at(-1);
      expect(error).toMatchObject({
        requestId,
        attempts: 1,
        message: expect.stringContaining(`${requestId}`) as string,
      });
      expect(Reflect.get(error as object, 'status')).toBe(status);
    },
  );

  test('does not wait longer than the call may take, and says how long it would have to', async () => {
    proxy.faults = [
      { status: 429, headers: { 'retry-after': '60' }, body: '{"code":"rate_limited","message":"","status":429}' },
    ];
    const error = await failureOf(store.pets.list({ timeout: 5_000 }).page());
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, retryAfter: 60_000, attempts: 1 });
  });

  test.each([
    ['while no answer comes', 'silenced'],
    ['while it waits to try again', { status: 503, headers: { 'retry-after': '30' }, body: '' }],
  ] as [string, Fault][])('ends at once when its signal says so, %s', async (_when, fault) => {
    proxy.faults = [fault];
    const reason = new Error('The user left');
    const abort = new AbortController();
    const failure = failureOf(store.pets.list({ signal: abort.signal }).page());
    setTimeout(() => {
      abort.abort(reason);
    }, 200);
    expect(await failure).toMatchObject({ name: 'AbortedError', attempts: 1, cause: reason });
  });
});
