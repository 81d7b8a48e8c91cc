import { SerializedPage, type PageQuery } from '@animal-store/kernel';
import type { HttpResponse } from '../responses/http-response.js';
import { PageCursors } from './page-cursors.js';
import { PageRequest } from './page-request.js';
import { Pages } from './pages.js';

class Query extends PageRequest {
  readonly status?: string;
  readonly petId?: bigint;
  readonly tags?: unknown;
}

const ORDERS = '/v1/store/orders';

describe('the answer of a list', () => {
  let pages: Pages;
  let asked: (PageQuery & { readonly status?: string })[];

  beforeEach(() => {
    pages = new Pages(new PageCursors(() => Promise.resolve(Buffer.alloc(32))));
    asked = [];
  });

  /** As a controller does it, from a read model that has more than anybody asks for. */
  function answer(members: Partial<Query>, { path = ORDERS, page = new SerializedPage('[]', 7n) } = {}) {
    return pages.respond(path, Object.assign(new Query(), members), (query) => {
      asked.push(query);
      return Promise.resolve(page);
    });
  }

  /** What the link of an answer says. */
  function nextOf({ ownFields: [name, link = ''] }: HttpResponse): {
    name: string | undefined;
    path: string;
    query: object;
  } {
    const [, path = '', query] = /^<(.*)\?(.*)>; rel="next"$/.exec(link) ?? [];
    return { name, path, query: Object.fromEntries(new URLSearchParams(query)) };
  }

  async function cursorAfter(members: Partial<Query>, path = ORDERS): Promise<string> {
    return (nextOf(await answer(members, { path })).query as { cursor: string }).cursor;
  }

  test('is the page as it is where no more follow', async () => {
    const { body, ownFields } = await answer({}, { page: new SerializedPage('[{"id":1}]', undefined) });
    expect([body, ownFields]).toEqual(['[{"id":1}]', []]);
  });

  test('leads to the next page, with its limit and its filters', async () => {
    const answered = await answer({ limit: '5', status: 'a&b=c', petId: 9007199254740993n });
    expect(nextOf(answered)).toEqual({
      name: 'Link',
      path: ORDERS,
      query: { limit: '5', status: 'a&b=c', petId: '9007199254740993', cursor: expect.any(String) as string },
    });
  });

  test('goes on after the item that its cursor stands for', async () => {
    const cursor = await cursorAfter({ status: 'placed' });
    await answer({ limit: '3', status: 'placed', cursor });
    expect(asked.at(-1)).toEqual({ limit: 3, status: 'placed', afterId: 7n });
  });

  test('may have another limit on the way', async () => {
    await answer({ limit: '100', cursor: await cursorAfter({ limit: '1' }) });
    expect(asked.at(-1)).toEqual({ limit: 100, afterId: 7n });
  });

  test('has a cursor that is good however the filters are ordered', async () => {
    const cursor = await cursorAfter({ status: 'placed', petId: 1n });
    await pages.respond(ORDERS, { cursor, petId: 1n, status: 'placed' }, (query) => {
      asked.push(query);
      return Promise.resolve(new SerializedPage('[]', undefined));
    });
    expect(asked.at(-1)).toMatchObject({ afterId: 7n });
  });

  test.each<[string, Partial<Query>, Partial<Query>]>([
    ['another value', { status: 'placed' }, { status: 'delivered' }],
    ['no filter any more', { status: 'placed' }, {}],
    ['a filter that was not there', {}, { status: 'placed' }],
    ['a value that is none of the filter', { status: 'lost' }, {}],
    ['an empty value', { status: '' }, {}],
    ['the same value of another filter', { status: '1' }, { petId: 1n }],
    ['a value that holds the others', { status: 'a","b' }, { tags: ['a', 'b'] }],
    ['the elements of a list joined', { tags: ['a,b'] }, { tags: ['a', 'b'] }],
  ])('has a cursor that is refused with %s', async (_what, made, used) => {
    const cursor = await cursorAfter(made);
    await expect(answer({ ...used, cursor })).rejects.toThrow(/^cursor must be used exactly as a Link header gave it/);
  });

  test('has a cursor that is refused by another collection', async () => {
    const cursor = await cursorAfter({}, '/v1/pets');
    await expect(answer({ cursor })).rejects.toMatchObject({ response: { code: 'invalid_request', status: 400 } });
  });

  test('says with which filters a cursor must be used', async () => {
    await expect(answer({ cursor: 'x' })).rejects.toThrow(
      'cursor must be used exactly as a Link header gave it, with the same status and petId and tags: follow the link, or start again without cursor',
    );
  });

  test('refuses a filter that no address can hold, by its name', async () => {
    await expect(answer({ tags: { a: 1 } })).rejects.toThrow('The filter "tags" of a page must be a text');
  });

  test('repeats a filter that has several values', async () => {
    const { ownFields } = await answer({ tags: ['a', 'b'] });
    expect(ownFields[1]).toContain('?limit=20&tags=a&tags=b&cursor=');
  });

  test('is one object for all who get the same page', async () => {
    const page = new SerializedPage('[]', 7n);
    const [one, other] = await Promise.all([answer({}, { page }), answer({}, { page })]);
    expect(other).toBe(one);
    expect(await answer({}, { page })).toBe(one);
  });

  test('is made anew for another address of the same page', async () => {
    const page = new SerializedPage('[]', 7n);
    await answer({}, { page, path: '/v1/orders' });
    expect(nextOf(await answer({}, { page, path: '/v2/orders' })).path).toBe('/v2/orders');
  });

  test('is made again after it failed, while the page is the same', async () => {
    let loads = 0;
    pages = new Pages(
      new PageCursors(() => {
        loads += 1;
        return loads === 1 ? Promise.reject(new Error('The database is away')) : Promise.resolve(Buffer.alloc(32));
      }),
    );
    const page = new SerializedPage('[]', 7n);
    await expect(answer({}, { page })).rejects.toThrow('The database is away');
    expect(nextOf(await answer({}, { page })).path).toBe(ORDERS);
  });
});
