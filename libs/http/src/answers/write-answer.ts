import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderFields } from './answer.js';
import { endWithOthers } from '../connections/exchanges.js';
import { INACTIVITY } from '../connections/inactive-connections.js';
import { announcedFields } from './deprecation.js';
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

/** The header fields that every answer carries: those that never change, those of this request, those of its deprecation. */
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
  if (announcement !== undefined) {
    fields.push(...announcement);
    // Both go out: the successor's, and what the handler has set.
    for (const link of [response.getHeader('link') ?? []].flat()) fields.push('Link', String(link));
  }
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
