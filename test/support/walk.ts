import { nextPage } from './pages.js';
import type { Client } from './running-app.js';

/** What a client saw that followed the links from the first page, each page from the next instance. */
export interface Walk {
  /** In the order in which they came, as often as they came. */
  readonly ids: readonly number[];
  /** The pages that were full when they were read: where they are, and what they showed. */
  readonly fullPages: readonly { readonly path: string; readonly ids: readonly number[] }[];
}

/** Walks the pages while `adding` goes on, and to the end of what was added. */
export async function walk(clients: readonly Client[], limit: number, adding: Promise<unknown>): Promise<Walk> {
  const writing = { over: false };
  const added = adding.finally(() => (writing.over = true));
  const ids: number[] = [];
  const fullPages: { path: string; ids: number[] }[] = [];
  let path = `/v1/pets?limit=${limit}`;
  // How many of the page at hand were seen before: the last page is asked for again and again until nobody adds.
  let known = 0;
  for (let requests = 0; ; requests++) {
    const last = writing.over;
    const answer = await clients[requests % clients.length]!.request(path);
    const page = ((await answer.json()) as { id: number }[]).map(({ id }) => id);
    ids.push(...page.slice(known));
    const next = nextPage(answer);
    if (next === undefined && last) break;
    known = next === undefined ? page.length : 0;
    if (next === undefined) continue;
    fullPages.push({ path, ids: page });
    path = next;
  }
  await added;
  return { ids, fullPages };
}

/** The full pages of a walk that show something else when they are read again. */
export async function changedPages({ fullPages }: Walk, client: Client): Promise<string[]> {
  const changed: string[] = [];
  for (const { path, ids } of fullPages) {
    const again = ((await (await client.request(path)).json()) as { id: number }[]).map(({ id }) => id);
    if (again.join() !== ids.join()) changed.push(`${path}: ${ids.join()}, then ${again.join()}`);
  }
  return changed;
}
