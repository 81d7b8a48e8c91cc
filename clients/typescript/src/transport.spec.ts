import { AnimalStore } from './animal-store.js';
import { AbortedError } from './errors.js';
import type { AttemptOutcome, AttemptRequest, ClientOptions } from './options.js';
import { openTransport } from './transport.js';

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
/** A body whose connection is lost behind this text. */
const cutOff = (text: string) =>
  new ReadableStream({
    pull(controller) {
      if (text === '') controller.error(new TypeError('terminated'));
      else controller.enqueue(new TextEncoder().encode(text));
      text = '';
    },
  });
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

  test('that writes without an Idempotency-Key is never sent again', async () => {
    for (const answer of [() => error(503), () => Promise.reject(new TypeError('lost'))]) {
      const sent: string[] = [];
      const fetch = (url: string) => {
        sent.push(url);
        return Promise.resolve().then(answer);
      };
      const send = openTransport({ baseUrl: 'http://service', apiKey: 'key', fetch: fetch as typeof globalThis.fetch });
      const isExpected = (value: unknown): value is unknown => true;
      await failureOf(send({ operation: 'POST /orders/{orderId}/cancel', id: '7', isExpected, options: {} }));
      expect(sent).toEqual(['http://service/v1/orders/7/cancel']);
    }
  });

  test.each<[string, () => Response | Promise<Response>]>([
    ['lost', () => Promise.reject(new TypeError('lost'))],
    ['cut', () => new Response(cutOff(ANIMAL.slice(0, 20)))],
    ['shortened', () => new Response(ANIMAL.slice(0, 20), { headers: { 'content-type': 'application/json' } })],
    ['that of a proxy', () => new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } })],
  ])('that adds is sent again under its own key when its answer is %s', async (_what, answer) => {
    const { store, sent } = storeOf([answer, answer, () => animal()]);
    expect(await store.pets.create({ name: 'Rex', categoryId: 7 })).toMatchObject({ id: 1n });
    const keys = sent.map(({ init }) => init.headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0], keys[0]]);
  });

  test('ends at once when its signal says so', async () => {
    const { store } = storeOf([() => new Promise<Response>(() => undefined)]);
    const [abort, cause] = [new AbortController(), new Error('The user left')];
    const failure = failureOf(store.pets.get(1, { signal: abort.signal }));
    abort.abort(cause);
    expect(await failure).toMatchObject({ name: 'AbortedError', cause });
  });

  test('says how often it was sent', async () => {
    const { store, sent } = storeOf([() => error(503)], { retries: 2 });
    expect(await failureOf(store.pets.list().page())).toMatchObject({ status: 503, attempts: 3 });
    expect(sent).toHaveLength(3);
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

  test.each(['.', '..', '1/../2', '', undefined])('with %j for an id sends nothing', async (id) => {
    const { store, sent } = storeOf([() => animal()]);
    expect(await failureOf(store.pets.get(id as unknown as bigint))).toBeInstanceOf(TypeError);
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
    expect(await failureOf(failing.pets.list({}, { headers: { 'x-request-id': 'mine' } }).page())).toMatchObject({
      requestId: 'mine',
    });
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
  test('names the address and the innermost cause, and not the query', async () => {
    const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    const lost = () => Promise.reject(new TypeError('fetch failed', { cause: refused }));
    const page = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
    const messageOf = async (answer: () => Response | Promise<Response>) =>
      ((await failureOf(storeOf([answer], { retries: 0 }).store.pets.list({ limit: 1 }).page())) as Error).message;
    const END = String.raw`\(GET http://service/v1/pets, request [0-9a-f]{32}\)$`;
    expect(await messageOf(lost)).toMatch(new RegExp(`^No response: ECONNREFUSED ${END}`));
    expect(await messageOf(page)).toMatch(new RegExp(`^The response with status 200 is no JSON: .*${END}`));
    expect(await messageOf(() => error(404))).toMatch(new RegExp(`^So it is ${END}`));
  });
});

describe('A deprecated operation', () => {
  test('is told of once by each client, also where it fails', async () => {
    const sunset = 'Thu, 05 Dec 2030 00:00:00 GMT';
    const messages: string[] = [];
    const { store } = storeOf([() => error(404, { sunset }), () => animal({ sunset })], {
      onDeprecation: (message) => messages.push(message),
    });
    await failureOf(store.pets.get(1));
    await store.pets.get(2);
    expect(messages).toEqual([`GET /pets/{petId} is deprecated, and will be removed on ${sunset}`]);
  });
});
