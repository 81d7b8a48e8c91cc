import { UnreadableResponseError } from './errors.js';
import { linkOf } from './header-fields.js';
import type { Call, Send } from './transport.js';

/** A page of a list. */
export interface Page<Item> {
  /** The resources of this page, in order. */
  readonly items: readonly Item[];
  /** The `cursor` of the next page, or `undefined` on the last page. */
  readonly next: string | undefined;
}

/** A list. It requests the next page only when the caller reads that far. */
export interface Listing<Item> extends AsyncIterable<Item> {
  /** Reads the first page, or the page at the cursor. */
  page(): Promise<Page<Item>>;
  /** Reads all pages into one array. For long lists use `for await`, which keeps only one page in memory. */
  all(): Promise<Item[]>;
  /** Reads page by page. */
  pages(): AsyncIterableIterator<Page<Item>>;
}

/** @param call the call for the first page */
export function listing<Item>(send: Send, call: Call<Item[]>): Listing<Item> {
  /** A page, and the query of the next page. */
  async function read(query = ''): Promise<[Page<Item>, string | undefined]> {
    const { value, headers, status, sent } = await send({ ...call, query });
    const link = linkOf(headers, 'next');
    // Only the query is used: the path may differ behind a proxy, and no other server must get the key.
    const parameters = link === undefined ? undefined : new URLSearchParams(link.split(/[?#]/)[1]);
    const next = parameters?.toString();
    // For example a cache in between that ignores the query: reading on would never end.
    if (next === query)
      throw new UnreadableResponseError('The link to the next page leads to the page itself', status, sent);
    return [{ items: value, next: parameters?.get('cursor') ?? undefined }, next];
  }

  async function* pages(): AsyncGenerator<Page<Item>, void, void> {
    let [page, next] = await read(call.query);
    yield page;
    while (next !== undefined) {
      [page, next] = await read(next);
      yield page;
    }
  }

  async function* items(): AsyncGenerator<Item, void, void> {
    for await (const page of pages()) yield* page.items;
  }

  return {
    page: async () => (await read(call.query))[0],
    pages,
    all: async () => {
      const all: Item[] = [];
      for await (const item of items()) all.push(item);
      return all;
    },
    [Symbol.asyncIterator]: items,
  };
}

/** @throws TypeError for what no query can hold, such as the options of a call */
export function queryOf(query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    if (value !== undefined && typeof value !== 'string' && typeof value !== 'number')
      throw new TypeError(`${name} is no query parameter: list(query, options)`);
    if (value !== undefined) search.append(name, String(value));
  }
  return search.toString();
}
