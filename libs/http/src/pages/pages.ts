import type { PageQuery, SerializedPage } from '@animal-store/kernel';
import { HttpResponse } from '../responses/http-response.js';
import { RequestError } from '../errors/request.errors.js';
import { filterTexts, type FilterTexts } from './filter-texts.js';
import type { PageCursors } from './page-cursors.js';
import { readPageRequest, type FiltersOf, type PageRequest } from './page-request.js';

/** The answer for a page, and whom it is for. */
interface Made {
  readonly path: string;
  readonly limit: number;
  answer: HttpResponse | Promise<HttpResponse>;
}

/**
 * Answers operations that list something: the page that a query asks for, with a `Link` to the next one where more follow.
 * Requests that get the same page share its answer, with its link and its entity tag.
 */
export class Pages {
  private readonly made = new WeakMap<SerializedPage, Made>();

  constructor(private readonly cursors: PageCursors) {}

  /**
   * @param path the address of the collection, as in `/v1/pets`: a cursor is good for this one alone, and for these filters
   * @param find a page by its limit, its filters under their names in the query, and `afterId`
   * @throws RequestError when the cursor is none of ours, or belongs to another collection or filter
   */
  answer<Query extends PageRequest>(
    path: string,
    query: Query,
    find: (query: PageQuery & FiltersOf<Query>) => Promise<SerializedPage>,
  ): Promise<HttpResponse> {
    const { cursor, pageQuery } = readPageRequest(query);
    // Chained, not awaited, and nothing to wait for without a cursor: this is the hot path.
    if (cursor === undefined) return find(pageQuery).then((page) => this.answerOf(page, path, pageQuery));
    return this.lastSeen(cursor, path, pageQuery).then((afterId) => {
      const rest = { ...pageQuery, afterId };
      return find(rest).then((page) => this.answerOf(page, path, rest));
    });
  }

  private answerOf(page: SerializedPage, path: string, query: PageQuery): HttpResponse | Promise<HttpResponse> {
    const before = this.made.get(page);
    if (before?.path === path && before.limit === query.limit) return before.answer;
    const made: Made = { path, limit: query.limit, answer: this.make(page, path, query) };
    this.made.set(page, made);
    if (made.answer instanceof Promise) {
      made.answer.then(
        (answer) => (made.answer = answer),
        // A page may be shown for long: what failed is tried again with the next request.
        () => this.made.delete(page),
      );
    }
    return made.answer;
  }

  private make(
    { text, nextAfterId }: SerializedPage,
    path: string,
    query: PageQuery,
  ): HttpResponse | Promise<HttpResponse> {
    if (nextAfterId === undefined) return HttpResponse.rendered(text);
    const filters = filterTextsOf(query);
    return this.cursors.encode(nextAfterId, scopeOf(path, filters)).then((cursor) => {
      const next = new URLSearchParams([
        ['limit', String(query.limit)],
        ...filters.flatMap(([name, ...values]) => values.map((value): [string, string] => [name, value])),
        ['cursor', cursor],
      ]);
      return HttpResponse.rendered(text, 'Link', `<${path}?${next.toString()}>; rel="next"`);
    });
  }

  private async lastSeen(cursor: string, path: string, query: PageQuery): Promise<bigint> {
    const afterId = await this.cursors.decode(cursor, scopeOf(path, filterTextsOf(query)));
    if (afterId !== undefined) return afterId;
    const names = Object.keys(query).filter(isFilter);
    const same = names.length === 0 ? '' : `, with the same ${names.join(' and ')}`;
    throw RequestError.invalid([
      `cursor must be used exactly as a Link header gave it${same}: follow the link, or start again without cursor`,
    ]);
  }
}

function filterTextsOf(query: PageQuery): FilterTexts {
  return filterTexts(Object.entries(query).filter(([name]) => isFilter(name)));
}

function isFilter(name: string): boolean {
  return name !== 'limit' && name !== 'afterId';
}

/** What a cursor is bound to: as JSON, so that no two read the same. */
function scopeOf(path: string, filters: FilterTexts): string {
  return JSON.stringify([path, ...filters]);
}
