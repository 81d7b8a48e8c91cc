import { HttpAdapterHost } from '@nestjs/core';
import { SerializedPage, type PageQuery } from '@animal-store/kernel';
import { JsonExpressAdapter } from '../express.adapter.js';
import type { HttpResponse } from '../http-response.js';
import { PageRequest } from './page-request.js';
import { pageOf, Pages } from './pages.js';

class Query extends PageRequest {
  readonly status?: string;
  readonly petId?: bigint;
  readonly tags?: unknown;
}

const ORDERS = '/v1/store/orders';

function pagesBehind(pathPrefix?: string): Pages {
  const host = new HttpAdapterHost<JsonExpressAdapter>();
  host.httpAdapter = new JsonExpressAdapter({ maxConnections: 1, keepAliveMs: 1, pathPrefix });
  return new Pages(host);
}

describe('a page of rows', () => {
  const rows = [{ id: 1n }, { id: 9007199254740993n }, { id: 9007199254740994n }];

  test.each([
    [2, '[{"id":1},{"id":9007199254740993}]', 9007199254740993n],
    [3, '[{"id":1},{"id":9007199254740993},{"id":9007199254740994}]', undefined],
  ])('has at most %i of them, and the id after which the next page begins', (limit, text, nextAfterId) => {
    expect(pageOf(rows, limit)).toEqual(new SerializedPage(text, nextAfterId));
  });
});

describe('the response of a list', () => {
  const pages = pagesBehind();
  let asked: (PageQuery & { readonly status?: string })[];

  beforeEach(() => {
    asked = [];
  });

  /** As a controller makes it, of a list that never ends. */
  function respond(members: Partial<Query>, { path = ORDERS, page = new SerializedPage('[]', 7n), by = pages } = {}) {
    return by.respond(path, Object.assign(new Query(), members), (query) => {
      asked.push(query);
      return Promise.resolve(page);
    });
  }

  /** What the link of a response says. */
  function nextOf({ fields: [name, link = ''] }: HttpResponse) {
    const [, path = '', query] = /^<(.*)\?(.*)>; rel="next"$/.exec(link) ?? [];
    return { name, path, query: Object.fromEntries(new URLSearchParams(query)) };
  }

  async function cursorAfter(members: Partial<Query>, path = ORDERS): Promise<string> {
    return nextOf(await respond(members, { path })).query['cursor'] ?? '';
  }

  test('is the page as it is where no more follow', async () => {
    const { body, fields } = await respond({}, { page: new SerializedPage('[{"id":1}]', undefined) });
    expect([body, fields]).toEqual(['[{"id":1}]', []]);
  });

  test('leads to the next page, with its limit and its filters, under the prefix that a proxy removes', async () => {
    const query = { limit: '5', status: 'a&b=c', petId: 9007199254740993n };
    const response = await respond(query, { by: pagesBehind('/shop') });
    expect(nextOf(response)).toEqual({
      name: 'Link',
      path: `/shop${ORDERS}`,
      query: { limit: '5', status: 'a&b=c', petId: '9007199254740993', cursor: expect.any(String) as string },
    });
  });

  test('goes on after the item of its cursor, with any limit', async () => {
    const cursor = await cursorAfter({ status: 'placed', limit: '1' });
    await respond({ limit: '3', status: 'placed', cursor });
    expect(asked.at(-1)).toEqual({ limit: 3, status: 'placed', afterId: 7n });
  });

  test.each<[string, Partial<Query>, Partial<Query>]>([
    ['another value', { status: 'placed' }, { status: 'delivered' }],
    ['no filter any more', { status: 'placed' }, {}],
    ['a filter that was not there', {}, { status: 'placed' }],
    ['an empty value', { status: '' }, {}],
    ['the same value of another filter', { status: '1' }, { petId: 1n }],
    ['a value that holds the others', { status: 'a","b' }, { tags: ['a', 'b'] }],
    ['the elements of a list joined', { tags: ['a,b'] }, { tags: ['a', 'b'] }],
  ])('has a cursor that is refused with %s', async (_what, made, used) => {
    const cursor = await cursorAfter(made);
    await expect(respond({ ...used, cursor })).rejects.toThrow(/^cursor must be used exactly as a Link header gave it/);
  });

  test('has a cursor that is refused by another collection', async () => {
    await expect(respond({ cursor: await cursorAfter({}, '/v1/pets') })).rejects.toThrow(
      'cursor must be used exactly as a Link header gave it',
    );
  });

  test('refuses a filter that no address can hold, by its name', async () => {
    await expect(respond({ tags: { a: 1 } })).rejects.toThrow('The filter "tags" of a page must be a text');
  });

  test('is one object for all who get the same page', async () => {
    const page = new SerializedPage('[]', 7n);
    expect(await respond({}, { page })).toBe(await respond({}, { page }));
  });
});
