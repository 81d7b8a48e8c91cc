import type { ServerResponse } from 'node:http';
import { exchangeOf } from '../requests/exchange.js';
import type { HeaderFields } from './http-response.js';
import { SECURITY_HEADERS } from './security-headers.js';

/**
 * The header fields that are the same on every response. A response belongs to the API key of its request: no shared cache
 * may store it, and a private cache must validate it before each use.
 */
export const FIXED_FIELDS: HeaderFields = Object.entries({
  ...SECURITY_HEADERS,
  'Cache-Control': 'private, no-cache',
}).flat();

/** The names of the fields that a response may replace, in lower case. */
const REPLACEABLE: ReadonlySet<string> = new Set(
  [...FIXED_FIELDS.filter((_, index) => index % 2 === 0), 'X-Request-Id', 'Vary'].map((name) => name.toLowerCase()),
);

/**
 * The header fields of every response: the fixed ones, those of its request, and those of its route. One that the
 * response sets itself is left out; the values of `Vary` and of a deprecated route's `Link` are added to its own.
 *
 * @param own the fields that are about to be written, besides those that were set on the response
 */
export function standingFields(response: ServerResponse, own: HeaderFields): string[] {
  const { context, deprecation } = exchangeOf(response);
  const fields = [...FIXED_FIELDS, 'X-Request-Id', context.requestId];
  const replaced = replacedFields(response, own);
  if (replaced === undefined) {
    fields.push('Vary', 'Authorization');
    if (deprecation !== undefined) fields.push(...deprecation.fields);
    return fields;
  }
  const standing: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const [name = '', value = ''] = fields.slice(index, index + 2);
    if (!replaced.has(name.toLowerCase())) standing.push(name, value);
  }
  standing.push('Vary', withAuthorization(response.getHeader('vary')));
  if (deprecation !== undefined) {
    const links = response.getHeader('link') ?? [];
    if (deprecation.fields.includes('Link')) for (const link of [links].flat()) standing.push('Link', String(link));
    standing.push(...deprecation.fields);
  }
  return standing;
}

/** The names of the fields of a response in lower case; `undefined` if it replaces no standing field. */
function replacedFields(response: ServerResponse, own: HeaderFields): ReadonlySet<string> | undefined {
  const names = response.getHeaderNames();
  for (let index = 0; index < own.length; index += 2) {
    const name = (own[index] ?? '').toLowerCase();
    if (REPLACEABLE.has(name)) names.push(name);
  }
  return names.length === 0 ? undefined : new Set(names);
}

/** CORS and handlers may also set `Vary`. */
function withAuthorization(vary: number | string | readonly string[] | undefined): string {
  const names = vary === undefined || vary === '' ? [] : [vary].flat().map(String);
  const isSaid = names.some((text) => /(?:^|[\s,])(?:\*|authorization)(?:$|[\s,])/i.test(text));
  return [...names, ...(isSaid ? [] : ['Authorization'])].join(', ');
}
