import { BadRequestException, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { SerializedPage, type PageQuery } from '@animal-store/kernel';
import { stringifyExactJson } from '../bodies/exact-json.js';
import type { JsonExpressAdapter } from '../express.adapter.js';
import { HttpResponse } from '../http-response.js';
import { decodeCursor, encodeCursor } from './page-cursor.js';
import { DEFAULT_LIMIT, type FiltersOf, type PageRequest } from './page-request.js';

/**
 * A page of rows that were read in ascending order of id.
 *
 * @param rows one more than `limit`, if there are so many: then another page follows
 */
export function pageOf(rows: readonly { readonly id: bigint }[], limit: number): SerializedPage {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return new SerializedPage(stringifyExactJson(rows.slice(0, limit)), last?.id);
}

/**
 * Makes the responses of operations that list something: the requested page, with a `Link` to the next page if there is
 * one. Requests for the same page share the response, with its link and its entity tag.
 */
@Injectable()
export class Pages {
  private readonly responses = new WeakMap<SerializedPage, HttpResponse>();

  constructor(private readonly host: HttpAdapterHost<JsonExpressAdapter>) {}

  /**
   * @param path the address of the collection, as in `/v1/pets`: a cursor is valid only for this address and these filters
   * @param find finds a page by its limit, its filters with their names in the query, and `afterId`; a page that it gives
   *   again must be for the same address and filters
   * @throws BadRequestException if the cursor was not made by this service, or belongs to another collection or filter
   */
  async respond<Query extends PageRequest>(
    path: string,
    query: Query,
    find: (query: PageQuery & FiltersOf<Query>) => Promise<SerializedPage>,
  ): Promise<HttpResponse> {
    const { limit: sent, cursor, ...filters } = query;
    const limit = sent === undefined ? DEFAULT_LIMIT : Number(sent);
    const afterId = cursor === undefined ? undefined : lastSeen(cursor, path, filters);
    const page = await find(Object.assign(filters, { limit, afterId }));
    let response = this.responses.get(page);
    if (response === undefined) this.responses.set(page, (response = this.create(page, path, query, limit)));
    return response;
  }

  private create(page: SerializedPage, path: string, query: PageRequest, limit: number): HttpResponse {
    const { text, nextAfterId } = page;
    if (nextAfterId === undefined) return HttpResponse.rendered(text);
    const { pathPrefix } = this.host.httpAdapter;
    return HttpResponse.rendered(text, 'Link', nextLink(path, query, limit, nextAfterId, pathPrefix));
  }
}

/** The value of `Link` that leads to the next page (RFC 8288), with the limit and the filters of this one. */
export function nextLink(path: string, query: object, limit: number, nextAfterId: bigint, pathPrefix = ''): string {
  const scope = scopeOf(path, query);
  const start = scope.endsWith('?') ? scope : `${scope}&`;
  return `<${pathPrefix}${start}limit=${limit}&cursor=${encodeCursor(nextAfterId, scope)}>; rel="next"`;
}

function lastSeen(cursor: string, path: string, filters: object): bigint {
  const afterId = decodeCursor(cursor, scopeOf(path, filters));
  if (afterId !== undefined) return afterId;
  const names = Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const same = names.length === 0 ? '' : `, with the same ${names.join(' and ')}`;
  throw new BadRequestException(
    `cursor must be used exactly as a Link header gave it${same}: follow the link, or start again without cursor`,
  );
}

/** What a cursor is bound to: the address of the collection with the filters, sorted by name. A list is repeated. */
function scopeOf(path: string, query: object): string {
  const filters = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    if (name === 'limit' || name === 'cursor' || value === undefined) continue;
    for (const one of [value].flat()) filters.append(name, textOf(one, name));
  }
  filters.sort();
  return `${path}?${filters.toString()}`;
}

/** @throws Error if an address cannot contain a value of that type: it would represent another value, or no filter */
function textOf(value: unknown, name: string): string {
  if (value instanceof Date) return value.toISOString();
  if (['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return String(value);
  throw new Error(`The filter "${name}" of a page must be a text, a number, a boolean, a Date, or a list of them`);
}
