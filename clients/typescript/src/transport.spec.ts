import { gzipSync } from 'node:zlib';
import { AnimalStore } from './animal-store.js';
import type { DeprecationNotice } from './deprecations.js';
import { endpointsOf } from './endpoints.js';
import { AbortedError, type ApiError } from './errors.js';
import type { AttemptOutcome, AttemptRequest, ClientOptions } from './options.js';

const ANIMAL = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}';

/** The arguments of a call of `fetch`. */
interface Sent {
  readonly url: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
}

/** A client of a service that sends these responses one after the other. */
function storeOf(answers: (() => Response | Promise<Response>)[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const fetch = (url: string, init: RequestInit) => {
    sent.push({ url, init: { ...init, headers: Object.fromEntries(new Headers(init.headers)) } });
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    return answer === undefined ? Promise.reject(new Error('down')) : Promise.resolve().then(answer);
  };
  const store = new AnimalStore({
    baseUrl: 'http://service',
    apiKey: 'key',
    fetch: fetch as unknown as typeof globalThis.fetch,
    ...options,
  });
  return { store, sent };
}

const animal = (headers: Record<string, string> = {}) => new Response(ANIMAL, { headers });
const error = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ code: 'whatever', message: 'So it is', status }, { status, headers });
const failureOf = (promise: Promise<unknown>) => promise.catch((reason: unknown) => reason);

describe('A call', () => {
  test.each([408, 429, 502, 503, 504])('that reads is sent again after %i', async (status) => {
    const { store, sent } = storeOf([() => error(status), () => animal()]);
    await store.pets.get(1);
    expect(sent).toHaveLength(2);
  });

  test.each([400, 401, 403, 404, 409, 410, 422, 500, 501])('is not sent again after %i', async (status) => {
    const { store, sent } = storeOf([() => error(status)]);
    expect(await failureOf(store.pets.get(1))).toMatchObject({ status, code: 'whatever', attempts: 1 });
    expect(sent).toHaveLength(1);
  });

  test('that only changes something is never sent again', async () => {
    interface Paths {
      '/orders/{orderId}/cancel': {
        post: {
          parameters: { path: { orderId: bigint } };
          responses: { 200: { content: { 'application/json': { id: bigint } } } };
        };
      };
    }
    const cancel = endpointsOf<Paths>().change('/orders/{orderId}/cancel', { answer: { id: 'int64' } });
    for (const answer of [() => error(503), () => error(429), () => Promise.reject(new TypeError('lost'))]) {
      const { store, sent } = storeOf([answer]);
      await failureOf(store.extend({ orders: { cancel } }).orders.cancel(7n));
      expect(sent.map(({ url, init }) => [init.method, url])).toEqual([['POST', 'http://service/v1/orders/7/cancel']]);
    }
  });

  test('is sent four times at most, and says how often it was', async () => {
    const { store, sent } = storeOf([() => error(503, { 'retry-after': '0' })]);
    expect(await failureOf(store.pets.list().page())).toMatchObject({ status: 503, attempts: 4 });
    expect(sent).toHaveLength(4);
  });

  test('has the id that the answer names, else the one that it was sent with', async () => {
    const { store, sent } = storeOf([() => error(400, { 'x-request-id': 'of-the-proxy' }), () => error(400)]);
    expect(await failureOf(store.pets.get(1))).toMatchObject({ requestId: 'of-the-proxy' });
    expect(await failureOf(store.pets.get(1))).toMatchObject({ requestId: sent[1]?.init.headers['x-request-id'] });
  });

  test('shows the key to nobody else: it follows no redirection, and no cookies go with it', async () => {
    const { store, sent } = storeOf([() => animal()]);
    await store.pets.get(1);
    expect(sent[0]?.init).toMatchObject({ redirect: 'manual', credentials: 'omit' });
  });

  test('ends in time though fetch knows no signals', async () => {
    const { store } = storeOf([() => new Promise<Response>(() => undefined)], { timeout: 50 });
    expect(await failureOf(store.pets.get(1))).toMatchObject({ name: 'TimeoutError' });
  });

  test.each([2 ** 53, 1.5, NaN])('with the id %s sends nothing', async (id) => {
    const { store, sent } = storeOf([() => animal()]);
    expect(await failureOf(store.pets.get(id))).toBeInstanceOf(TypeError);
    expect(await failureOf(store.pets.create({ name: 'Rex', categoryId: id }))).toBeInstanceOf(TypeError);
    expect(sent).toHaveLength(0);
  });
});

describe('The response', () => {
  test('that redirects is told as such, with its target', async () => {
    const moved = () => new Response('<html>', { status: 308, headers: { location: 'https://new.example/v1' } });
    const { store, sent } = storeOf([moved]);
    const failure = await failureOf(store.pets.get(1));
    expect(failure).toMatchObject({ name: 'UnreadableResponseError', status: 308, attempts: 1 });
    expect((failure as Error).message).toContain('redirects to https://new.example/v1');
    expect(sent).toHaveLength(1);
  });

  test('keeps every digit of a large integer in a member that the client does not know', async () => {
    const text = `{"id":1,"name":"Rex","categoryId":7,"status":"sold","serial":9007199254740993,"tags":[18446744073709551615],"price":1e20}`;
    const { store } = storeOf([() => new Response(text)]);
    expect(await store.pets.get(1)).toMatchObject({
      serial: 9007199254740993n,
      tags: [18446744073709551615n],
      price: 1e20,
    });
  });
});

describe('The header fields of a request', () => {
  test('are those of the client, then those of the call; the key stays', async () => {
    const { store, sent } = storeOf([() => animal()], { headers: { 'X-Shop': 'one', 'X-Team': 'a' } });
    await store.pets.get(1, { headers: { 'x-shop': 'two', 'X-Request-Id': 'mine', Authorization: 'none' } });
    expect(sent[0]?.init.headers).toMatchObject({
      'x-shop': 'two',
      'x-team': 'a',
      'x-request-id': 'mine',
      authorization: 'Bearer key',
    });
    const { store: failing } = storeOf([() => Promise.reject(new Error('down'))], { retries: 0 });
    expect(await failureOf(failing.pets.list({ headers: { 'x-request-id': 'mine' } }).page())).toMatchObject({
      requestId: 'mine',
    });
  });

  test('have the key of the moment', async () => {
    const keys = ['first', 'second'];
    const { store, sent } = storeOf([() => error(503), () => animal()], {
      apiKey: () => Promise.resolve(keys.shift()!),
    });
    await store.pets.get(1);
    expect(sent.map(({ init }) => init.headers['authorization'])).toEqual(['Bearer first', 'Bearer second']);
  });
});

describe('The hooks', () => {
  test('see each attempt, may add header fields, and are not shown the key', async () => {
    const outcomes: AttemptOutcome[] = [];
    const shown: boolean[] = [];
    const onRequest = async ({ headers, attempt }: AttemptRequest) => {
      shown.push(headers.has('authorization'));
      await Promise.resolve();
      headers.set('traceparent', `00-${attempt}`);
    };
    const lost = () => Promise.reject(new TypeError('lost'));
    const { store, sent } = storeOf([lost, () => error(503), () => animal()], {
      onRequest,
      onResponse: (outcome) => void outcomes.push(outcome),
    });
    await store.pets.get(1);
    expect(shown).toEqual([false, false, false]);
    expect(sent.map(({ init }) => init.headers['traceparent'])).toEqual(['00-1', '00-2', '00-3']);
    expect(outcomes).toMatchObject([
      { operation: 'GET /pets/{petId}', url: 'http://service/v1/pets/1', attempt: 1, error: { name: 'NetworkError' } },
      { attempt: 2, status: 503, error: { name: 'ApiError' } },
      { attempt: 3, status: 200, error: undefined, milliseconds: expect.any(Number) as number },
    ]);
    expect(outcomes[0]?.status).toBeUndefined();
  });

  test('count for the time of the call', async () => {
    const late = new Promise<void>((resolve) => setTimeout(resolve, 100));
    const { store, sent } = storeOf([() => animal()], { onRequest: () => late, timeout: 50 });
    expect(await failureOf(store.pets.get(1))).toMatchObject({ name: 'TimeoutError' });
    await late;
    await new Promise(setImmediate);
    expect(sent).toHaveLength(0);
  });
});

describe('A call that the program itself ends', () => {
  const cause = new Error('The vault is closed');
  const fail = () => {
    throw cause;
  };
  const sunset = { sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' };

  test.each<[string, Partial<ClientOptions>]>([
    ['its apiKey function rejects', { apiKey: () => Promise.reject(cause) }],
    ['its onRequest throws', { onRequest: fail }],
    ['its onResponse throws', { onResponse: fail }],
    ['its onDeprecation throws', { onDeprecation: fail }],
  ])('because %s tells the key with which to repeat it', async (_why, options) => {
    const { store } = storeOf([() => animal(sunset)], { onDeprecation: () => undefined, ...options });
    const failure = await failureOf(store.pets.create({ name: 'Rex', categoryId: 7 }, { idempotencyKey: 'order-1' }));
    expect(failure).toBeInstanceOf(AbortedError);
    expect(failure).toMatchObject({
      name: 'AbortedError',
      idempotencyKey: 'order-1',
      attempts: 1,
      cause,
      message: expect.stringContaining('ended the call: The vault is closed') as string,
    });
  });

  test('by its signal tells it too', async () => {
    const { store, sent } = storeOf([() => animal()]);
    const signal = AbortSignal.abort(cause);
    const failure = await failureOf(store.pets.create({ name: 'Rex', categoryId: 7 }, { signal }));
    expect(failure).toMatchObject({ name: 'AbortedError', idempotencyKey: expect.any(String) as string, cause });
    expect(sent).toHaveLength(0);
  });

  test('because its apiKey function gives no key sends nothing', async () => {
    const { store, sent } = storeOf([() => animal()], { apiKey: () => 'Bearer key' });
    expect(await failureOf(store.pets.get(1))).toMatchObject({
      name: 'AbortedError',
      cause: expect.any(TypeError) as Error,
    });
    expect(sent).toHaveLength(0);
  });
});

describe('A page', () => {
  const page = (link?: string) => () => new Response(`[${ANIMAL}]`, { headers: link === undefined ? {} : { link } });

  test('is followed by the query of its link, at the address of the list', async () => {
    const { store, sent } = storeOf([page('<http://service/other/pets?limit=1&cursor=c>; rel="next"'), page()]);
    const names: string[] = [];
    for await (const { name } of store.pets.list({ limit: 1 })) names.push(name);
    expect(names).toEqual(['Rex', 'Rex']);
    expect(sent.map(({ url }) => url)).toEqual([
      'http://service/v1/pets?limit=1',
      'http://service/v1/pets?limit=1&cursor=c',
    ]);
  });

  test.each([
    'https://other.example/v1/pets?limit=1&cursor=c',
    '//other.example/?limit=1&cursor=c',
    'http://[?limit=1&cursor=c',
  ])('never sends the key to another server: %s', async (link) => {
    const { store, sent } = storeOf([page(`<${link}>; rel="next"`), page()]);
    await store.pets.list({ limit: 1 }).all();
    expect(sent[1]?.url).toBe('http://service/v1/pets?limit=1&cursor=c');
  });

  test('that leads to itself is an error, and nothing more is sent', async () => {
    const { store, sent } = storeOf([page('</v1/pets?limit=1>; rel="next"')]);
    const failure = await failureOf(store.pets.list({ limit: 1 }).page());
    expect(failure).toMatchObject({ name: 'UnreadableResponseError', status: 200, attempts: 1 });
    expect((failure as Error).message).toContain('leads to the page itself');
    expect(sent).toHaveLength(1);
  });

  test('is one of those that are read into an array, in order', async () => {
    const { store, sent } = storeOf([page('</v1/pets?cursor=c>; rel="next"'), page()]);
    expect((await store.pets.list().all()).map(({ name }) => name)).toEqual(['Rex', 'Rex']);
    expect(sent).toHaveLength(2);
  });

  const INVALID = [
    '{"id":1}',
    '[{"id":"1"}]',
    '[{"id":1.5}]',
    '[{"id":9223372036854775808}]',
    '[{"id":{}}]',
    '[{}]',
    'null',
  ];

  test.each(INVALID)('that is not what the document says is none, and is not asked for again: %s', async (body) => {
    const { store, sent } = storeOf([() => new Response(body, { headers: { 'content-type': 'application/json' } })]);
    expect(await failureOf(store.pets.list().page())).toMatchObject({ name: 'UnreadableResponseError', status: 200 });
    expect(sent).toHaveLength(1);
  });

  test.each(['[{"id":1}', ''])('that ends too early is asked for again: %j', async (body) => {
    const cut = () => new Response(body, { headers: { 'content-type': 'application/json' } });
    const { store, sent } = storeOf([cut, page()]);
    await store.pets.list().page();
    expect(sent).toHaveLength(2);
  });
});

describe('An error', () => {
  const CONTROLS = '\u0000\u0007\u001b[31m\r\n\u007f\u009b\u2028';
  const CONTROL = /[\p{Cc}\u2028]/u;

  test('has no control characters of the service or of the engine', async () => {
    const refusal = () =>
      Response.json(
        { code: `x${CONTROLS}`, message: `Not${CONTROLS}so` },
        { status: 400, headers: { 'x-request-id': 'a\u009b' } },
      );
    const broken = () => new Response(`${CONTROLS}<html>`);
    for (const answer of [refusal, broken]) {
      const failure = (await failureOf(storeOf([answer], { retries: 0 }).store.pets.get(1))) as ApiError;
      expect([failure.message, failure.code, failure.requestId].join('')).not.toMatch(CONTROL);
    }
  });

  test('names the address and the innermost cause, and not the query', async () => {
    const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    const lost = () => Promise.reject(new TypeError('fetch failed', { cause: refused }));
    const page = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
    const messageOf = async (answer: () => Response | Promise<Response>) =>
      ((await failureOf(storeOf([answer], { retries: 0 }).store.pets.list({ limit: 1 }).page())) as Error).message;
    expect(await messageOf(lost)).toMatch(/^No response of http:\/\/service\/v1\/pets: ECONNREFUSED \(request /);
    expect(await messageOf(page)).toMatch(
      /^The response of http:\/\/service\/v1\/pets with status 200 is no JSON: .*</,
    );
  });

  test('tells of a body that is too large, however small its compressed bytes are, and is not sent again', async () => {
    const bomb = gzipSync(Buffer.alloc(40 * 2 ** 20, ' '));
    const answer = () => new Response(new Blob([bomb]).stream().pipeThrough(new DecompressionStream('gzip')));
    const { store, sent } = storeOf([answer]);
    const failure = await failureOf(store.pets.get(1));
    expect(failure).toMatchObject({ name: 'UnreadableResponseError', status: 200, attempts: 1 });
    expect((failure as Error).message).toContain('larger than 16777216 bytes');
    expect(sent).toHaveLength(1);
  });
});

describe('A deprecated operation', () => {
  const deprecated = () => animal({ deprecation: '@1795132800', sunset: 'Mon, 23 Nov 2026 00:00:00 GMT' });

  test('is told of once by each client, also where it fails', async () => {
    const notices: DeprecationNotice[] = [];
    const onDeprecation = (notice: DeprecationNotice) => notices.push(notice);
    const { store } = storeOf([() => error(404, { sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' }), deprecated], {
      onDeprecation,
    });
    await failureOf(store.pets.get(1));
    await store.pets.get(2);
    expect(notices).toEqual([
      expect.objectContaining({ operation: 'GET /pets/{petId}', sunset: new Date('2030-12-05T00:00:00Z') }),
    ]);
  });

  test('is told of on the console, where nothing else is said', async () => {
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: string) => warnings.push(text);
    await storeOf([deprecated]).store.pets.get(1);
    console.warn = warn;
    expect(warnings).toEqual([expect.stringContaining('to be removed on 2026-11-23 (request ')]);
  });
});
