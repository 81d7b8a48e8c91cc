import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnimalStore } from './animal-store.js';
import type { ClientOptions } from './client-options.js';
import type { DeprecationNotice } from './deprecations.js';
import { endpointsOf } from './endpoints.js';
import type { AttemptOutcome, AttemptRequest } from './hooks.js';
import { responseOf } from './response-info.js';

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
  test('is told of a result and of an error, and changes nothing of them', async () => {
    const headers = { 'x-request-id': 'a', ratelimit: '"default";r=1;t=60', 'ratelimit-policy': '"default";q=2;w=60' };
    const { store } = storeOf([() => animal(headers), () => error(400, { 'x-request-id': 'b' })]);
    const rex = await store.pets.get(1);
    expect(rex).toEqual({ id: 1n, name: 'Rex', categoryId: 7n, status: 'available' });
    expect(responseOf(rex)).toMatchObject({
      requestId: 'a',
      status: 200,
      attempts: 1,
      rateLimit: { limit: 2, remaining: 1, reset: 60_000 },
    });
    expect(responseOf(rex)?.headers.get('ratelimit')).toBe('"default";r=1;t=60');
    const failure = (await failureOf(store.pets.get(1))) as Error;
    expect(responseOf(failure)).toMatchObject({ requestId: 'b', status: 400, rateLimit: undefined });
  });

  test('is told of a page, and is the newest one of a page that is current', async () => {
    const current = () => new Response(null, { status: 304, headers: { 'x-request-id': 'b' } });
    const fresh = () => new Response(`[${ANIMAL}]`, { headers: { etag: '"1"', 'x-request-id': 'a' } });
    const { store } = storeOf([fresh, current]);
    const page = await store.pets.list().page();
    expect(responseOf(page)).toMatchObject({ requestId: 'a', status: 200 });
    await store.pets.list({ revalidate: page }).page();
    expect(responseOf(page)).toMatchObject({ requestId: 'b', status: 304 });
  });

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

  test('name the client and its platform', async () => {
    const { store, sent } = storeOf([() => animal()]);
    await store.pets.get(1);
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
      version: string;
    };
    expect(sent[0]?.init.headers['user-agent']).toMatch(new RegExp(`^animal-store-client/${version}( Node.js/.*)?$`));
  });

  test('have the key of the moment', async () => {
    const keys = ['first', 'second'];
    const { store, sent } = storeOf([() => error(503), () => animal()], {
      apiKey: () => Promise.resolve(keys.shift()!),
    });
    await store.pets.get(1);
    expect(sent.map(({ init }) => init.headers['authorization'])).toEqual(['Bearer first', 'Bearer second']);
  });

  test('have no key that is none, and its own fault ends the call', async () => {
    const { store, sent } = storeOf([() => animal()], { apiKey: () => 'two words' });
    expect(await failureOf(store.pets.get(1))).toBeInstanceOf(TypeError);
    const fault = new Error('The vault is closed');
    const { store: closed } = storeOf([() => animal()], { apiKey: () => Promise.reject(fault) });
    expect(await failureOf(closed.pets.get(1))).toBe(fault);
    expect(sent).toHaveLength(0);
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

  test('end the call where they throw, and count for its time', async () => {
    const fault = new Error('no');
    const onRequest = () => {
      throw fault;
    };
    expect(await failureOf(storeOf([() => animal()], { onRequest }).store.pets.get(1))).toBe(fault);
    const late = new Promise<void>((resolve) => setTimeout(resolve, 100));
    const { store, sent } = storeOf([() => animal()], { onRequest: () => late, timeout: 50 });
    expect(await failureOf(store.pets.get(1))).toMatchObject({ name: 'TimeoutError' });
    await late;
    await new Promise(setImmediate);
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
    ['https://service/v1/pets?cursor=c', 'is on another server'],
    ['//other.example/v1/pets?cursor=c', 'is on another server'],
    ['http://[', 'is no address'],
    ['/v1/pets?limit=1', 'leads to the page itself'],
  ])('whose next page is <%s> is an error, and nothing more is sent', async (link, fault) => {
    const { store, sent } = storeOf([page(`<${link}>; rel="next"`)]);
    const failure = await failureOf(store.pets.list({ limit: 1 }).page());
    expect(failure).toMatchObject({ name: 'UnreadableResponseError', status: 200, attempts: 1 });
    expect((failure as Error).message).toContain(fault);
    expect(sent).toHaveLength(1);
  });

  test('is one of those that are read into an array, in order', async () => {
    const { store, sent } = storeOf([page('</v1/pets?cursor=c>; rel="next"'), page()]);
    expect((await store.pets.list().all()).map(({ name }) => name)).toEqual(['Rex', 'Rex']);
    expect(sent).toHaveLength(2);
  });

  test.each([1, 2, 3, 10, 100])('that comes again after %i pages ends the walk', async (length) => {
    const sent: string[] = [];
    const fetch = (url: string) => {
      sent.push(url);
      // The first two pages lead into the circle and are not part of it.
      const place = Number(new URL(url).searchParams.get('cursor') ?? 0);
      return page(`</v1/pets?cursor=${place < length + 1 ? place + 1 : 2}>; rel="next"`)();
    };
    const { store } = storeOf([], { fetch: ((url: string) => Promise.resolve(fetch(url))) as typeof globalThis.fetch });
    const walk = async () => {
      for await (const item of store.pets.list()) if (sent.length > 1_000) throw new Error(`Without end: ${item.name}`);
    };
    expect(await failureOf(walk())).toMatchObject({ name: 'UnreadableResponseError' });
    expect(sent.length).toBeLessThan(4 * (length + 2));
  });

  test('that is current may have a new next page', async () => {
    const fresh = () => new Response(`[${ANIMAL}]`, { headers: { etag: '"1"' } });
    const current = () => new Response(null, { status: 304, headers: { link: '</v1/pets?cursor=c>; rel="next"' } });
    const { store, sent } = storeOf([fresh, current]);
    const first = await store.pets.list().page();
    const again = await store.pets.list({ revalidate: first }).page();
    expect(sent[1]?.init.headers['if-none-match']).toBe('"1"');
    expect([again.items === first.items, first.next, again.next]).toEqual([true, undefined, 'c']);
  });

  test.each(['{"id":1}', '[{"id":"1"}]', '[{"id":1.5}]', '[{"id":9223372036854775808}]', '[{"id":{}}]', 'null'])(
    'that is not what the document says is none, and is not asked for again: %s',
    async (body) => {
      const { store, sent } = storeOf([() => new Response(body, { headers: { 'content-type': 'application/json' } })]);
      expect(await failureOf(store.pets.list().page())).toMatchObject({ name: 'UnreadableResponseError', status: 200 });
      expect(sent).toHaveLength(1);
    },
  );

  test.each(['[{"id":1}', ''])('that ends too early is asked for again: %j', async (body) => {
    const cut = () => new Response(body, { headers: { 'content-type': 'application/json' } });
    const { store, sent } = storeOf([cut, page()]);
    await store.pets.list().page();
    expect(sent).toHaveLength(2);
  });

  test('is not current where nobody asked', async () => {
    const { store } = storeOf([() => new Response(null, { status: 304 })]);
    expect(await failureOf(store.pets.list().page())).toMatchObject({ name: 'UnreadableResponseError', status: 304 });
  });
});

describe('A message', () => {
  const CONTROLS = '\u0000\u0007\u001b[31m\r\n\u007f\u009b\u2028';
  const CONTROL = /[\p{Cc}\u2028]/u;

  test('of the service or of the engine has no control characters', async () => {
    const refusal = () => Response.json({ code: 'x', message: `Not${CONTROLS}so` }, { status: 400 });
    const broken = () => new Response(`${CONTROLS}<html>`);
    for (const answer of [refusal, broken]) {
      const failure = (await failureOf(storeOf([answer], { retries: 0 }).store.pets.get(1))) as Error;
      expect(failure.message).not.toMatch(CONTROL);
      expect((failure.cause as Error | undefined)?.message ?? '').not.toMatch(CONTROL);
    }
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
    expect(warnings).toEqual([expect.stringContaining('was to be removed on 2026-11-23 (request ')]);
  });

  test('fails where the caller throws', async () => {
    const refusal = new Error('no longer');
    const onDeprecation = () => {
      throw refusal;
    };
    expect(await failureOf(storeOf([deprecated], { onDeprecation }).store.pets.get(1))).toBe(refusal);
  });
});
