import { ServerResponse, type IncomingMessage } from 'node:http';
import { NO_FIELDS, type HeaderFields } from './http-response.js';
import { routeHeadersOf } from './deprecation.js';
import { INACTIVITY } from '../connections/inactive-connections.js';
import { requestIdOf } from '../requests/request-context.js';
import { forwardedPrefix } from '../requests/forwarded-prefix.js';
import { leavesBodyUnread } from '../requests/request-body.js';
import { lingerAfter } from '../requests/unread-body.js';
import { ADDRESS_FIELDS, prefixedFields, prefixedValue } from './prefixed-fields.js';
import { SECURITY_HEADERS } from './security-headers.js';

/** On every answer. Answers belong to the key that asked: no shared cache may keep one, and nobody uses one unchecked. */
export const FIXED_HEADERS: HeaderFields = Object.entries({
  ...SECURITY_HEADERS,
  'Cache-Control': 'private, no-cache',
}).flat();

/** In lower case. */
const STANDING_NAMES: ReadonlySet<string> = new Set([
  ...FIXED_HEADERS.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()),
  'x-request-id',
]);

/** As answers of this library bring them: none is a standing one, so none is looked up in lower case. */
const OTHER_NAMES: ReadonlySet<string> = new Set(['ETag', 'Link', 'Location', 'Idempotent-Replayed', 'Retry-After']);

/** How long the client may keep the connection idle: a hint that spares it a request on one that just closed. */
const KEEP_ALIVE = `timeout=${INACTIVITY.afterMs / 1000}`;

/**
 * The header fields that every answer carries: those that never change, those of this request, those of its route, those of
 * its connection. A standing field that was set on the response, or is among the answer's own, is left out.
 *
 * @param own the fields that the answer brings
 */
export function commonHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  own: HeaderFields = NO_FIELDS,
): string[] {
  const fields = routeIndependentHeaders(request, response, own);
  if (leavesBodyUnread(request)) {
    fields.push('Connection', 'close');
    lingerAfter(request);
  } else if (response.shouldKeepAlive) {
    fields.push('Keep-Alive', KEEP_ALIVE);
  }
  return fields;
}

function routeIndependentHeaders(request: IncomingMessage, response: ServerResponse, own: HeaderFields): string[] {
  const fields = [...FIXED_HEADERS, 'X-Request-Id', requestIdOf(request)];
  const announced = routeHeadersOf(request);
  const set = response.getHeaderNames();
  if (set.length === 0 && !replacesStanding(own)) {
    fields.push('Vary', 'Authorization');
    if (announced !== undefined) fields.push(...announced);
    return fields;
  }
  const given = new Set(set);
  for (let index = 0; index < own.length; index += 2) given.add(own[index]?.toLowerCase() ?? '');
  return [
    ...withoutThose(given, fields),
    'Vary',
    withAuthorization(response.getHeader('vary')),
    // Links are a list: those of the route do not replace those of the handler.
    ...(announced?.includes('Link') === true ? linksOf(response) : NO_FIELDS),
    ...(announced ?? NO_FIELDS),
  ];
}

function replacesStanding(own: HeaderFields): boolean {
  for (let index = 0; index < own.length; index += 2) {
    const name = own[index] ?? '';
    if (!OTHER_NAMES.has(name) && STANDING_NAMES.has(name.toLowerCase())) return true;
  }
  return false;
}

function withoutThose(given: ReadonlySet<string>, fields: HeaderFields): string[] {
  const left: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const [name = '', value = ''] = fields.slice(index, index + 2);
    if (!given.has(name.toLowerCase())) left.push(name, value);
  }
  return left;
}

/** CORS and handlers have their own say in `Vary`. */
function withAuthorization(vary: number | string | readonly string[] | undefined): string {
  const names = vary === undefined || vary === '' ? [] : [vary].flat().map(String);
  const isSaid = names.some((text) => /(?:^|[\s,])(?:\*|authorization)(?:$|[\s,])/i.test(text));
  return [...names, ...(isSaid ? [] : ['Authorization'])].join(', ');
}

function linksOf(response: ServerResponse): string[] {
  const links = response.getHeader('link');
  return links === undefined ? [] : [links].flat().flatMap((link) => ['Link', String(link)]);
}

/** Set on a response for which nothing is to be added: whoever writes its head has done so, or wants nothing of it. */
export const isComplete = Symbol('is complete');

type Marked = ServerResponse & { [isComplete]?: boolean };

/** Lets the head of this answer go out as it is given, without the fields that every answer carries. */
export function skipCommonHeaders(response: ServerResponse): void {
  (response as Marked)[isComplete] = true;
}

/** Node's own, which the prototype of Express leads to. */
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with the response
const writeHeadOfNode = ServerResponse.prototype.writeHead as (this: ServerResponse, ...head: unknown[]) => never;

/**
 * Lets every answer carry the {@link commonHeaders}, however it is written: by hand, by a middleware, by the filter of a
 * route, by `@Sse()`, as a stream.
 *
 * @param prototype the one that Express gives to every response; adding methods to it is how Express is extended
 */
export function addCommonHeaders(prototype: ServerResponse): void {
  Object.defineProperty(prototype, 'writeHead', { value: writeHead, configurable: true, writable: true });
}

function writeHead(this: Marked, status: number, reason?: unknown, headers?: unknown): ServerResponse {
  // What is no final answer carries nothing, and what is said twice is refused by Node.
  const asItIs = this[isComplete] === true || this.headersSent || status < 200;
  // Where Node refuses it, another head follows.
  this[isComplete] = false;
  const prefix = forwardedPrefix(this);
  if (asItIs) {
    if (prefix === undefined || this.headersSent) return writeHeadOfNode.call(this, status, reason, headers);
    prefixAll(this, prefix);
    return writeHeadOfNode.call(this, status, prefixedFields(listOf(headers ?? reason), prefix));
  }
  const given = typeof reason === 'string' ? headers : (headers ?? reason);
  setAll(this, listOf(given));
  setAll(this, fieldsByHand(this));
  if (prefix !== undefined) prefixAll(this, prefix);
  return writeHeadOfNode.call(this, status, typeof reason === 'string' ? reason : undefined);
}

/** Gives the fields that are set on a response the prefix that a proxy took off. */
function prefixAll(response: ServerResponse, prefix: string): void {
  for (const name of ADDRESS_FIELDS) {
    const value = response.getHeader(name);
    if (value !== undefined) response.setHeader(name, prefixedValue(name, value, prefix) as string);
  }
}

function fieldsByHand(response: ServerResponse): string[] {
  const { req: request } = response;
  // A handler that is reading the body goes on with it while it answers.
  if (request.readableFlowing !== true && leavesBodyUnread(request)) return commonHeaders(request, response);
  const fields = routeIndependentHeaders(request, response, NO_FIELDS);
  if (!response.shouldKeepAlive) fields.push('Connection', 'close');
  else if (!response.hasHeader('Connection')) fields.push('Keep-Alive', KEEP_ALIVE);
  return fields;
}

/** The forms in which Node takes header fields, as names and values in turn. */
function listOf(headers: unknown): readonly unknown[] {
  if (headers === undefined || headers === null) return NO_FIELDS;
  if (!Array.isArray(headers)) return Object.entries(headers).flat(1);
  return Array.isArray(headers[0]) ? (headers as unknown[][]).flat(1) : (headers as unknown[]);
}

/** Sets fields, names and values in turn, on a response. A name that comes several times has all of its values. */
export function setAll(response: ServerResponse, fields: readonly unknown[]): void {
  const values = new Map<string, unknown>();
  for (let index = 0; index < fields.length; index += 2) {
    const name = String(fields[index]);
    const value = fields[index + 1];
    values.set(name, values.has(name) ? [values.get(name), value].flat() : value);
  }
  for (const [name, value] of values) response.setHeader(name, value as string);
}
