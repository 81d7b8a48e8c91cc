import { AnimalStore } from './animal-store.js';
import type { ClientOptions } from './client-options.js';
import type { DeprecationNotice } from './deprecations.js';
import { endpointsOf } from './endpoints.js';

const ANIMAL = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}';

/** The arguments of a call of `fetch`. */
interface Sent {
  readonly url: string;
  readonly init: RequestInit & { readonly headers: Record<string, string> };
}

/** A client of a service that sends these responses one after the other. */
function storeOf(answers: (() => Response | Promise<Response>)[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const fetch = (url: string, init: Sent['init']) => {
    sent.push({ url, init });
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

describe('A page', () => {
  const page = (link?: string) => () => new Response(`[${ANIMAL}]`, { headers: link === undefined ? {} : { link } });

  test('is followed by the query of its link, at the address of the list', async () => {
    const { store, sent } = storeOf([page('<https://other.example/pets?limit=1&cursor=c>; rel="next"'), page()]);
    const names: string[] = [];
    for await (const { name } of store.pets.list({ limit: 1 })) names.push(name);
    expect(names).toEqual(['Rex', 'Rex']);
    expect(sent.map(({ url }) => url)).toEqual([
      'http://service/v1/pets?limit=1',
      'http://service/v1/pets?limit=1&cursor=c',
    ]);
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

  test.each(['{"id":1}', '[{"id":"1"}]', '[{"id":1.5}]', '[{"id":9223372036854775808}]', '[{"id":1}', 'null', ''])(
    'that is not what the document says is none: %s',
    async (body) => {
      const { store } = storeOf([() => new Response(body)]);
      expect(await failureOf(store.pets.list().page())).toMatchObject({ name: 'UnreadableAnswerError', status: 200 });
    },
  );

  test('is not current where nobody asked', async () => {
    const { store } = storeOf([() => new Response(null, { status: 304 })]);
    expect(await failureOf(store.pets.list().page())).toMatchObject({ name: 'UnreadableAnswerError', status: 304 });
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
