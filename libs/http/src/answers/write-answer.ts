import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderFields } from './answer.js';
import { INACTIVITY } from '../connections/inactive-connections.js';
import { requestIdOf } from '../requests/request-context.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { leavesBodyUnread, lingerAfter } from '../requests/unread-body.js';

/** On every JSON answer. Answers belong to the key that asked: no shared cache may keep one, and nobody uses one unchecked. */
const STANDING_FIELDS: HeaderFields = Object.entries({
  ...SECURITY_HEADERS,
  'Cache-Control': 'private, no-cache',
}).flat();

/** How long the client may keep the connection idle: a hint that spares it a request on one that just closed. */
const KEEP_ALIVE = `timeout=${INACTIVITY.afterMs / 1000}`;

/** On every 503: how long a client should wait before it tries again, in seconds (RFC 9110, section 10.2.3). */
export const RETRY_LATER: HeaderFields = ['Retry-After', '1'];

const announcements = new Map<unknown, HeaderFields>();

/**
 * Lets every answer of a route carry these header fields, refusals included: also those of the guard, which come before
 * the handler could say anything.
 *
 * @param route the path of the route as Express knows it, such as `/v1/pets/:petId`
 */
export function announce(route: string, fields: HeaderFields): void {
  announcements.set(route, fields);
}

/** Everything that was announced, by the path of the route. */
export function allAnnouncements(): ReadonlyMap<unknown, HeaderFields> {
  return announcements;
}

/** The header fields of {@link announce} for the route that took the request. */
export function announcedFields(request: IncomingMessage): HeaderFields | undefined {
  const { route } = request as { readonly route?: { readonly path?: unknown } };
  return announcements.get(route?.path);
}

/** The header fields that every answer carries: those that never change, those of this request, those of its route. */
export function commonFields(request: IncomingMessage, response: ServerResponse): string[] {
  const vary = response.getHeader('vary');
  const fields = [
    ...STANDING_FIELDS,
    'X-Request-Id',
    requestIdOf(request),
    'Vary',
    // CORS has its own say in it.
    typeof vary === 'string' ? `${vary}, Authorization` : 'Authorization',
  ];
  const announcement = announcedFields(request);
  if (announcement !== undefined) fields.push(...announcement);
  if (leavesBodyUnread(request)) {
    fields.push('Connection', 'close');
    lingerAfter(request);
  } else if (response.shouldKeepAlive) {
    fields.push('Keep-Alive', KEEP_ALIVE);
  }
  return fields;
}

/**
 * Writes a whole answer.
 *
 * @param bytes the length of the body in UTF-8, where it is known already
 * @throws what Node says against a header field; nothing is sent then
 */
export function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  fields: HeaderFields,
  body?: string,
  bytes = body === undefined ? 0 : Buffer.byteLength(body),
): void {
  const all = commonFields(request, response);
  all.push(...fields);
  if (body !== undefined) {
    all.push('Content-Type', 'application/json', 'Content-Length', String(bytes));
  }
  // At once, because it throws what Node refuses in a header field.
  response.writeHead(status, all);
  // ASCII is the same bytes in both, and Latin-1 need not be measured before it is copied.
  endWithOthers(response, body, bytes === body?.length ? 'latin1' : 'utf8');
}

interface Ready {
  readonly response: ServerResponse;
  readonly body: string | undefined;
  readonly encoding: BufferEncoding;
}

let ready: Ready[] = [];

/**
 * Sends the answer together with those that become ready in the same run of promises, as those to calls that shared a
 * statement do. One after the other they find code and data in the processor's caches, which the handlers of others would
 * throw out between them: an eighth more on 512 connections. The last goes first, as what belongs to it was used last.
 */
function endWithOthers(response: ServerResponse, body: string | undefined, encoding: BufferEncoding): void {
  if (ready.push({ response, body, encoding }) === 1) process.nextTick(endAll);
}

function endAll(): void {
  const answers = ready;
  ready = [];
  for (const { response, body, encoding } of answers.reverse()) response.end(body, encoding);
}
