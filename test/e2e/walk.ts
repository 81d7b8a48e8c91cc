import { nextPage } from '../support/pages.js';
import type { Client } from '../support/running-app.js';

/** What a client saw that followed the links from the first page. Each page came from the next instance. */
export interface Walk {
  /** The ids in the order of arrival, with repetitions. */
  readonly ids: readonly number[];
  /** The pages that were full when the client read them: their paths and ids. */
  readonly fullPages: readonly { readonly path: string; readonly ids: readonly number[] }[];
}

/** Follows the pages while `adding` runs, up to the last added pet. */
export async function walk(clients: readonly Client[], limit: number, adding: Promise<unknown>): Promise<Walk> {
  const writing = { over: false };
  const added = adding.finally(() => (writing.over = true));
  const ids: number[] = [];
  const fullPages: { path: string; ids: number[] }[] = [];
  let path = `/v1/pets?limit=${limit}`;
  // How many pets of the current page were seen before: the client repeats the last page until all pets are added.
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

/** The full pages of a walk whose content is different when they are read again. */
export async function changedPages({ fullPages }: Walk, client: Client): Promise<string[]> {
  const changed: string[] = [];
  for (const { path, ids } of fullPages) {
    const again = ((await (await client.request(path)).json()) as { id: number }[]).map(({ id }) => id);
    if (again.join() !== ids.join()) changed.push(`${path}: ${ids.join()}, then ${again.join()}`);
  }
  return changed;
}
