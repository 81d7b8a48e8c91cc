import type { Call, Send } from './call.js';
import { linkOf } from './links.js';

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The `cursor` of the next page, or `undefined` on the last page. */
  readonly next: string | undefined;
}

/** A list. It requests the next page only when the caller reads that far. */
export interface Listing<Item> extends AsyncIterable<Item> {
  /** The first page, or the page at the cursor. */
  page(): Promise<Page<Item>>;
  pages(): AsyncIterableIterator<Page<Item>>;
}

/** @param call the call for the first page */
export function listing<Item>(send: Send, call: Call, earlier: Page<Item> | undefined): Listing<Item> {
  /** The page, and the query of the next page. */
  async function read(query: string | undefined, known?: Page<Item>): Promise<[Page<Item>, string | undefined]> {
    const { value, headers } = await send({ ...call, ...(query !== undefined && { query }), revalidate: known?.items });
    const link = linkOf(headers, 'next');
    // Only the query of the link is used: the path may differ behind a proxy, and the key must not go to another server.
    const next = link === undefined ? undefined : new URL(link, 'http://localhost').searchParams;
    const page: Page<Item> = { items: value as Item[], next: next?.get('cursor') ?? undefined };
    // The link to a next page can be new although the items of the page are unchanged.
    return [known?.items === page.items && known.next === page.next ? known : page, next?.toString()];
  }

  async function* pages(): AsyncGenerator<Page<Item>, void, void> {
    let [page, next] = await read(call.query, earlier);
    yield page;
    while (next !== undefined) {
      [page, next] = await read(next);
      yield page;
    }
  }

  return {
    page: async () => (await read(call.query, earlier))[0],
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}
