import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { recordError } from '../connections/request-tracker.js';
import type { ErrorResponse } from '../errors/error-response.js';
import { addPrefix, forwardedPrefix, type Prefixed } from '../requests/forwarded-prefix.js';
import { HttpResponse, matchesEntityTag, NO_FIELDS, type HeaderFields } from './http-response.js';
import { INACTIVITY } from '../connections/connection-limits.js';
import { requestIdOf } from '../requests/request-context.js';
import { mustCloseAfterResponse } from '../bodies/request-body.js';
import { deprecationOf } from '../routes/deprecation.js';
import { SECURITY_HEADERS } from './security-headers.js';

/** On every 503: how long a client should wait before it retries, in seconds (RFC 9110, section 10.2.3). */
export const RETRY_LATER: HeaderFields = ['Retry-After', '1'];

const JSON_TYPE = 'application/json';

/**
 * The size above which a text is sent as bytes. While a client does not read it, a text would be in memory twice, and
 * Node would count its characters instead of its bytes.
 */
const LARGE_BYTES = 16 * 1024;

/**
 * Writes the result of a handler as JSON with a strong `ETag`, even a string; 304 if the client has these bytes already.
 * If the handler set a `Content-Type`, a string is sent unchanged.
 */
export function writeResult(response: Response, result: unknown, status: number): void {
  const { req: request } = response;
  if (result === undefined || status === 204 || status === 304) {
    writeResponse(request, response, status, NO_FIELDS);
    return;
  }
  const isTyped = response.hasHeader('Content-Type');
  const returned = responseOf(result, isTyped);
  const tag = response.getHeader('ETag');
  const fields = tag === undefined ? returned.fields : returned.ownFields;
  const { 'if-none-match': ifNoneMatch } = request.headers;
  if (
    status === 200 &&
    ifNoneMatch !== undefined &&
    (request.method === 'GET' || request.method === 'HEAD') &&
    matchesEntityTag(ifNoneMatch, tag === undefined ? returned.entityTag : String(tag).replace(/^W\//, ''))
  ) {
    if (isTyped) response.removeHeader('Content-Type');
    writeResponse(request, response, 304, fields);
  } else {
    writeResponse(request, response, status, fields, returned.body, returned.bytes, isTyped ? null : undefined);
  }
}

function responseOf(result: unknown, isTyped: boolean): HttpResponse {
  if (result instanceof HttpResponse) return result;
  return isTyped && typeof result === 'string' ? HttpResponse.rendered(result) : HttpResponse.of(result);
}

/**
 * Writes a complete response. A standard header field is replaced by one that was set on the response, and both are
 * replaced by the response's own.
 *
 * @param bytes the length of the body in UTF-8, if it is known
 * @param type the media type of the body; `null` if it was set on the response
 * @throws Error of Node for an invalid header field; nothing is sent then
 */
export function writeResponse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  fields: HeaderFields,
  body?: string,
  bytes = body === undefined ? 0 : Buffer.byteLength(body),
  type: string | null = JSON_TYPE,
): void {
  const all = commonHeaders(request, response, fields, false);
  all.push(...fields);
  if (body !== undefined) {
    if (type !== null) all.push('Content-Type', type);
    all.push('Content-Length', String(bytes));
  }
  (response as Marked)[isComplete] = true;
  // Written now, because Node throws for an invalid header field.
  response.writeHead(status, all);
  // ASCII text has the same bytes in both encodings, and Latin-1 needs no measuring before it is copied.
  const encoding = bytes === body?.length ? 'latin1' : 'utf8';
  const sent = body !== undefined && bytes > LARGE_BYTES ? Buffer.from(body, encoding) : body;
  const batch = (response as Marked)[responseBatch];
  if (batch === undefined) response.end(sent, encoding);
  else batch.end(response, sent, encoding);
}

/** Header fields with which a handler described a response that it did not send. */
const OF_THE_OTHER_RESPONSE = [
  'Accept-Ranges',
  'Cache-Control',
  'Content-Disposition',
  'Content-Encoding',
  'Content-Language',
  'Content-Length',
  'Content-Range',
  'Content-Type',
  'ETag',
  'Expires',
  'Last-Modified',
  'Transfer-Encoding',
];

/** Writes an Error body instead of the intended response. */
export function writeError(
  request: IncomingMessage,
  response: ServerResponse,
  error: ErrorResponse,
  fields: HeaderFields = NO_FIELDS,
): void {
  if (response.getHeaderNames().length > 0) for (const name of OF_THE_OTHER_RESPONSE) response.removeHeader(name);
  recordError(response, error);
  writeResponse(request, response, error.status, fields, JSON.stringify(error));
}

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
 * The time for which the client may keep an idle connection. The hint prevents requests on a connection that was just
 * closed.
 */
const KEEP_ALIVE = `timeout=${INACTIVITY.afterMs / 1000}`;

/**
 * The header fields of every response: the fixed ones, those of this request, those of its route, and those of its
 * connection. A standard field is left out if it was set on the response, or is in `own`.
 *
 * @param own the fields that the response adds
 * @param mayReadOn whether the handler may still be reading the body while it responds
 */
function commonHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  own: HeaderFields,
  mayReadOn: boolean,
): string[] {
  const fields = headersOfRequest(request, response, own);
  const isRead = mayReadOn && request.readableFlowing === true;
  if (!response.shouldKeepAlive || (!isRead && mustCloseAfterResponse(request))) fields.push('Connection', 'close');
  else if (!response.hasHeader('Connection')) fields.push('Keep-Alive', KEEP_ALIVE);
  return fields;
}

function headersOfRequest(request: IncomingMessage, response: ServerResponse, own: HeaderFields): string[] {
  const fields = [...FIXED_HEADERS, 'X-Request-Id', requestIdOf(request)];
  const ofRoute = deprecationOf(request)?.fields;
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
    if (STANDARD_NAMES.has((own[index] ?? '').toLowerCase())) return true;
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

/** On a response: no header fields are added, because they are already in its header, or because it must not have them. */
export const isComplete = Symbol('is complete');

/** On a response: the batch with which it is sent. */
export const responseBatch = Symbol('response batch');

type Marked = ServerResponse & Prefixed & { [isComplete]?: boolean; [responseBatch]?: ResponseBatch | undefined };

/** Node's own method, which Express's prototype inherits. */
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with the response
const writeHeadOfNode = ServerResponse.prototype.writeHead as (this: ServerResponse, ...head: unknown[]) => never;

/**
 * Adds the {@link commonHeaders} to every response, however it is written: by a handler, a middleware, the filter of a
 * route, `@Sse()`, or as a stream.
 *
 * @param prototype the prototype that Express gives to every response; adding methods to it is the documented way to
 *   extend Express
 */
export function addCommonHeaders(prototype: ServerResponse): void {
  Object.defineProperty(prototype, 'writeHead', { value: writeHead, configurable: true, writable: true });
}

function writeHead(this: Marked, status: number, reason?: unknown, headers?: unknown): ServerResponse {
  // An interim response (1xx) has no common fields, and Node refuses a second header.
  const asItIs = this[isComplete] === true || this.headersSent || status < 200;
  // If Node refuses the header, another one follows.
  this[isComplete] = false;
  const prefix = this[forwardedPrefix];
  if (asItIs && (prefix === undefined || this.headersSent)) {
    return writeHeadOfNode.call(this, status, reason, headers);
  }
  setAll(this, listOf(typeof reason === 'string' ? headers : (headers ?? reason)));
  if (!asItIs) setAll(this, commonHeaders(this.req, this, NO_FIELDS, true));
  // Express adds a charset to JSON, which has none (RFC 8259, section 11).
  if (this.getHeader('Content-Type') === `${JSON_TYPE}; charset=utf-8`) this.setHeader('Content-Type', JSON_TYPE);
  if (prefix !== undefined) addPrefix(this, prefix);
  return writeHeadOfNode.call(this, status, typeof reason === 'string' ? reason : undefined);
}

/** Converts the forms in which Node takes header fields to a list in which names and values alternate. */
function listOf(headers: unknown): readonly unknown[] {
  if (headers === undefined || headers === null) return NO_FIELDS;
  if (!Array.isArray(headers)) return Object.entries(headers).flat(1);
  return Array.isArray(headers[0]) ? (headers as unknown[][]).flat(1) : (headers as unknown[]);
}

/**
 * Sets header fields on a response. In the list, names and values alternate. A name that repeats gets all of its
 * values.
 */
function setAll(response: ServerResponse, fields: readonly unknown[]): void {
  const values = new Map<string, unknown>();
  for (let index = 0; index < fields.length; index += 2) {
    const name = String(fields[index]);
    const value = fields[index + 1];
    values.set(name, values.has(name) ? [values.get(name), value].flat() : value);
  }
  for (const [name, value] of values) response.setHeader(name, value as string);
}

interface ReadyResponse {
  readonly response: ServerResponse;
  readonly body: string | Buffer | undefined;
  readonly encoding: BufferEncoding;
}

/**
 * Sends together the responses of an application that become ready in the same run of promises, first in, first out. The
 * requests of one shared statement become ready together. Between two responses that are sent one after the other, the
 * code and data of sending stay in the processor's caches: an eighth more requests on 512 connections.
 */
export class ResponseBatch {
  private ready: ReadyResponse[] = [];
  private readonly sendAll = () => {
    const responses = this.ready;
    this.ready = [];
    for (const { response, body, encoding } of responses) response.end(body, encoding);
  };

  /** @param response its header is already written */
  end(response: ServerResponse, body: string | Buffer | undefined, encoding: BufferEncoding): void {
    if (this.ready.push({ response, body, encoding }) === 1) process.nextTick(this.sendAll);
  }
}
