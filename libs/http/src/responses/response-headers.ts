import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet, { type HelmetOptions } from 'helmet';
import { routeHeadersOf } from './deprecation.js';
import { NO_FIELDS, type HeaderFields } from './http-response.js';
import { INACTIVITY } from '../connections/connection-limits.js';
import { requestIdOf } from '../requests/request-context.js';
import { leavesBodyUnread } from '../requests/request-body.js';

/** The header fields that helmet sets on a response. They never change, so it runs once and not for every request. */
export function helmetHeaders(options: HelmetOptions): Record<string, string> {
  const headers: Record<string, string> = {};
  class RecordingResponse extends ServerResponse {
    override setHeader(name: string, value: string): this {
      headers[name] = value;
      return super.setHeader(name, value);
    }
  }
  const request = new IncomingMessage(new Socket());
  helmet(options)(request, new RecordingResponse(request), () => undefined);
  return headers;
}

/**
 * The security headers of every JSON response, for clients that read JSON: nothing may be executed, framed, sniffed or
 * sent in clear text.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = helmetHeaders({
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  xFrameOptions: { action: 'deny' },
  // The following are for browsers that show a page.
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

/**
 * The header fields that are the same on every response. A response belongs to the API key of its request: no shared cache
 * may store it, and a private cache must validate it before each use.
 */
export const FIXED_HEADERS: HeaderFields = Object.entries({
  ...SECURITY_HEADERS,
  'Cache-Control': 'private, no-cache',
}).flat();

/** The names of the fixed header fields and of the request id, in lower case. */
const STANDARD_NAMES: ReadonlySet<string> = new Set([
  ...FIXED_HEADERS.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()),
  'x-request-id',
]);

/**
 * Header fields that this library sets on single responses. None of them is a standard one, so none needs a comparison
 * in lower case.
 */
const OTHER_NAMES: ReadonlySet<string> = new Set(['ETag', 'Link', 'Location', 'Idempotent-Replayed', 'Retry-After']);

/**
 * The time for which the client may keep an idle connection. The hint prevents requests on a connection that was just
 * closed.
 */
const KEEP_ALIVE = `timeout=${INACTIVITY.afterMs / 1000}`;

/**
 * The header fields of every response: the fixed ones, those of this request, those of its route, and those of its
 * connection. A standard field is left out if it was set on the response, or is in `own`.
 *
 * @param own the fields that the response adds
 */
export function commonHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  own: HeaderFields = NO_FIELDS,
): string[] {
  const fields = routeIndependentHeaders(request, response, own);
  if (leavesBodyUnread(request)) {
    fields.push('Connection', 'close');
  } else if (response.shouldKeepAlive) {
    fields.push('Keep-Alive', KEEP_ALIVE);
  }
  return fields;
}

function routeIndependentHeaders(request: IncomingMessage, response: ServerResponse, own: HeaderFields): string[] {
  const fields = [...FIXED_HEADERS, 'X-Request-Id', requestIdOf(request)];
  const ofRoute = routeHeadersOf(request);
  const set = response.getHeaderNames();
  if (set.length === 0 && !replacesStanding(own)) {
    fields.push('Vary', 'Authorization');
    if (ofRoute !== undefined) fields.push(...ofRoute);
    return fields;
  }
  const replaced = new Set(set);
  for (let index = 0; index < own.length; index += 2) replaced.add(own[index]?.toLowerCase() ?? '');
  return [
    ...withoutThose(replaced, fields),
    'Vary',
    withAuthorization(response.getHeader('vary')),
    // `Link` is a list: the links of the route do not replace the links of the handler.
    ...(ofRoute?.includes('Link') === true ? linksOf(response) : NO_FIELDS),
    ...(ofRoute ?? NO_FIELDS),
  ];
}

function replacesStanding(own: HeaderFields): boolean {
  for (let index = 0; index < own.length; index += 2) {
    const name = own[index] ?? '';
    if (!OTHER_NAMES.has(name) && STANDARD_NAMES.has(name.toLowerCase())) return true;
  }
  return false;
}

function withoutThose(replaced: ReadonlySet<string>, fields: HeaderFields): string[] {
  const left: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const [name = '', value = ''] = fields.slice(index, index + 2);
    if (!replaced.has(name.toLowerCase())) left.push(name, value);
  }
  return left;
}

/** CORS and handlers may also set `Vary`. */
function withAuthorization(vary: number | string | readonly string[] | undefined): string {
  const names = vary === undefined || vary === '' ? [] : [vary].flat().map(String);
  const isSaid = names.some((text) => /(?:^|[\s,])(?:\*|authorization)(?:$|[\s,])/i.test(text));
  return [...names, ...(isSaid ? [] : ['Authorization'])].join(', ');
}

function linksOf(response: ServerResponse): string[] {
  const links = response.getHeader('link');
  return links === undefined ? [] : [links].flat().flatMap((link) => ['Link', String(link)]);
}

/** The same for a response that is written without `writeResponse`, for example as a stream. */
export function commonHeadersOfStream(response: ServerResponse): string[] {
  const { req: request } = response;
  // A handler that is reading the body may continue while it answers.
  if (request.readableFlowing !== true && leavesBodyUnread(request)) return commonHeaders(request, response);
  const fields = routeIndependentHeaders(request, response, NO_FIELDS);
  if (!response.shouldKeepAlive) fields.push('Connection', 'close');
  else if (!response.hasHeader('Connection')) fields.push('Keep-Alive', KEEP_ALIVE);
  return fields;
}
