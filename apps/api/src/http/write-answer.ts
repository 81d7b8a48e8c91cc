import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from './request-context.js';
import { SECURITY_HEADERS } from './security-headers.js';
import { leavesBodyUnread, lingerAfter } from './unread-body.js';

/** On every JSON answer. Answers belong to the key that asked: no shared cache may keep one, and nobody uses one unchecked. */
const STANDING_HEADERS: readonly (readonly [string, string])[] = Object.entries({
  ...SECURITY_HEADERS,
  'Cache-Control': 'private, no-cache',
});

/** Writes a whole answer; the one place where answers get the headers that all of them carry. */
export function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body?: string,
): void {
  response.statusCode = status;
  for (const [name, value] of STANDING_HEADERS) response.setHeader(name, value);
  response.setHeader('X-Request-Id', requestIdOf(request));
  // Appended, because CORS has its own say in it.
  response.appendHeader('Vary', 'Authorization');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (leavesBodyUnread(request)) {
    response.setHeader('Connection', 'close');
    lingerAfter(request);
  }
  if (body === undefined) {
    response.end();
    return;
  }
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
