import type { Answer, Call, Send } from './call.js';
import { UnreadableResponseError } from './errors.js';
import { linkOf } from './header-fields.js';
import { remember } from './response-info.js';

/** A page of a list. */
export interface Page<Item> {
  /** The resources of this page, in order. */
  readonly items: readonly Item[];
  /** The `cursor` of the next page, or `undefined` on the last page. */
  readonly next: string | undefined;
}

/**
 * A list. It requests the next page only when the caller reads that far. If pages lead to each other in a circle, reading ends
 * with an UnreadableResponseError.
 */
export interface Listing<Item> extends AsyncIterable<Item> {
  /** Reads the first page, or the page at the cursor. */
  page(): Promise<Page<Item>>;
  /** Reads all pages into one array. For long lists use `for await`, which keeps only one page in memory. */
  all(): Promise<Item[]>;
  /** Reads page by page. */
  pages(): AsyncIterableIterator<Page<Item>>;
}

/** @param call the call for the first page */
export function listing<Item>(send: Send, call: Call, earlier: Page<Item> | undefined): Listing<Item> {
  /** A page, the query of the next page, and the answer that both come from. */
  async function read(query = '', known?: Page<Item>): Promise<[Page<Item>, string | undefined, Answer]> {
    const answer = await send({ ...call, query, revalidate: known?.items });
    const parameters = nextOf(answer);
    const next = parameters?.toString();
    if (next === query) throw misled('leads to the page itself', answer);
    const page: Page<Item> = { items: answer.value as Item[], next: parameters?.get('cursor') ?? undefined };
    // The link to a next page can be new although the items of the page are unchanged.
    const current = known?.items === page.items && known.next === page.next ? known : page;
    remember(current, answer, answer.sent);
    return [current, next, answer];
  }

  async function* pages(): AsyncGenerator<Page<Item>, void, void> {
    let [page, next, answer] = await read(call.query, earlier);
    yield page;
    // Each query is compared with one earlier query, which is replaced after 1, 2, 4, 8… pages. This finds every circle, of
    // whatever length, without a list of all queries (Brent's algorithm).
    let visited = call.query;
    for (let count = 1; next !== undefined; count++) {
      if (next === visited) throw misled('leads back to an earlier page', answer);
      if (Number.isInteger(Math.log2(count))) visited = next;
      [page, next, answer] = await read(next);
      yield page;
    }
  }

  return {
    page: async () => (await read(call.query, earlier))[0],
    pages,
    all: async () => {
      const items: Item[] = [];
      for await (const page of pages()) items.push(...page.items);
      return items;
    },
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}

/**
 * The query of the link to the next page. Only the query is used, because the path may differ behind a proxy.
 *
 * @throws UnreadableResponseError if the link is no address, or is on another server, which must not get the key
 */
function nextOf(answer: Answer): URLSearchParams | undefined {
  const link = linkOf(answer.headers, 'next');
  if (link === undefined) return undefined;
  let next: URL;
  try {
    next = new URL(link, answer.url);
  } catch {
    throw misled('is no address', answer);
  }
  if (next.origin !== new URL(answer.url).origin) throw misled('is on another server', answer);
  return next.searchParams;
}

function misled(how: string, { status, sent }: Answer): UnreadableResponseError {
  return new UnreadableResponseError(`The link to the next page ${how}`, status, sent);
}
