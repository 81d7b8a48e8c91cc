import { Module, type DynamicModule, type ModuleMetadata, type Type } from '@nestjs/common';
import type { PageQuery, SerializedPage } from '@animal-store/kernel';
import { HttpResponse } from '../responses/http-response.js';
import { RequestError } from '../errors/request.errors.js';
import { PageCursors } from './page-cursors.js';
import { readPageRequest, type FiltersOf, type PageRequest } from './page-request.js';

/** A filter of a query, with its values as they are written in an address. */
type FilterTexts = readonly (readonly [name: string, ...values: string[]])[];

/** The response for a page, with the address and the limit that its link contains. */
interface CachedResponse {
  readonly path: string;
  readonly limit: number;
  readonly response: Promise<HttpResponse>;
}

/**
 * Makes the responses of operations that list something: the requested page, with a `Link` to the next page if there is
 * one. Requests for the same page share the response, with its link and its entity tag.
 */
export class Pages {
  private readonly cached = new WeakMap<SerializedPage, CachedResponse>();

  constructor(private readonly cursors: PageCursors) {}

  /**
   * @param path the address of the collection, as in `/v1/pets`: a cursor is valid only for this address and these filters
   * @param find finds a page by its limit, its filters with their names in the query, and `afterId`
   * @throws RequestError if the cursor was not made by this service, or belongs to another collection or filter
   */
  async respond<Query extends PageRequest>(
    path: string,
    query: Query,
    find: (query: PageQuery & FiltersOf<Query>) => Promise<SerializedPage>,
  ): Promise<HttpResponse> {
    const { cursor, pageQuery } = readPageRequest(query);
    if (cursor === undefined) return this.responseFor(await find(pageQuery), path, pageQuery);
    const rest = { ...pageQuery, afterId: await this.lastSeen(cursor, path, pageQuery) };
    return this.responseFor(await find(rest), path, rest);
  }

  private responseFor(page: SerializedPage, path: string, query: PageQuery): Promise<HttpResponse> {
    const known = this.cached.get(page);
    if (known?.path === path && known.limit === query.limit) return known.response;
    const response = this.create(page, path, query);
    this.cached.set(page, { path, limit: query.limit, response });
    // A page may be kept for a long time: the next request tries again.
    response.catch(() => this.cached.delete(page));
    return response;
  }

  private async create({ text, nextAfterId }: SerializedPage, path: string, query: PageQuery): Promise<HttpResponse> {
    if (nextAfterId === undefined) return HttpResponse.rendered(text);
    const filters = filterTextsOf(query);
    const cursor = await this.cursors.encode(nextAfterId, scopeOf(path, filters));
    const next = new URLSearchParams([
      ['limit', String(query.limit)],
      ...filters.flatMap(([name, ...values]) => values.map((value): [string, string] => [name, value])),
      ['cursor', cursor],
    ]);
    return HttpResponse.rendered(text, 'Link', `<${path}?${next.toString()}>; rel="next"`);
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

/**
 * The filters of a query, sorted by name, so that equal queries have equal texts.
 *
 * @throws Error if an address cannot contain a value of that type: it would represent another value, or no filter
 */
function filterTextsOf(query: PageQuery): FilterTexts {
  return Object.entries(query)
    .filter(([name, value]) => isFilter(name) && value !== undefined)
    .map(([name, value]): [string, ...string[]] => {
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      return [name, ...values.map((one) => textOf(one, name))];
    })
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  throw new Error(
    `The filter "${name}" of a page must be a text, a number, a boolean, a Date, or a list of them: a cursor is bound to it`,
  );
}

function isFilter(name: string): boolean {
  return name !== 'limit' && name !== 'afterId';
}

/** The scope of a cursor. It is written as JSON, so that two different scopes never have the same text. */
function scopeOf(path: string, filters: FilterTexts): string {
  return JSON.stringify([path, ...filters]);
}

export interface PagesModuleOptions<Secrets> {
  /** Modules that export `secrets`. */
  readonly imports: NonNullable<ModuleMetadata['imports']>;
  readonly secrets: Type<Secrets>;
  /** The key that signs the cursors: the same on all instances. Loaded for the first cursor. */
  readonly cursorKey: (secrets: Secrets) => Promise<Buffer>;
}

/** {@link Pages} for every module of the application. */
@Module({})
export class PagesModule {
  static forRoot<Secrets>({ imports, secrets, cursorKey }: PagesModuleOptions<Secrets>): DynamicModule {
    const createPages = (found: Secrets) => new Pages(new PageCursors(() => cursorKey(found)));
    return {
      module: PagesModule,
      global: true,
      imports,
      providers: [{ provide: Pages, useFactory: createPages, inject: [secrets] }],
      exports: [Pages],
    };
  }
}
