import type { IncomingMessage, ServerResponse } from 'node:http';
import { endWithOthers } from '../connections/request-tracker.js';
import { NO_FIELDS, type HeaderFields } from './http-response.js';
import { commonHeaders } from './common-headers.js';
import { skipCommonHeaders } from './write-head.js';
import type { ErrorResponse } from '../errors/error.response.js';

/** On every 503: how long a client should wait before it tries again, in seconds (RFC 9110, section 10.2.3). */
export const RETRY_LATER: HeaderFields = ['Retry-After', '1'];

const JSON_TYPE = 'application/json';

/**
 * Writes a whole answer. A standing header field gives way to one that was set on the response, and both give way to the
 * answer's own.
 *
 * @param bytes the length of the body in UTF-8, where it is known already
 * @param type the media type of the body; `null` where it was set on the response
 * @throws what Node says against a header field; nothing is sent then
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
  const all = commonHeaders(request, response, fields);
  all.push(...fields);
  if (body !== undefined) {
    if (type !== null) all.push('Content-Type', type);
    all.push('Content-Length', String(bytes));
  }
  skipCommonHeaders(response);
  // At once, because it throws what Node refuses in a header field.
  response.writeHead(status, all);
  // ASCII is the same bytes in both, and Latin-1 need not be measured before it is copied.
  endWithOthers(response, body, bytes === body?.length ? 'latin1' : 'utf8');
}

/** What a handler set to describe an answer that it then did not give. */
const OF_THE_OTHER_ANSWER = [
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

/** The code of the Error body that was sent. */
const sentCode = Symbol('sent error code');

/** Writes an Error body, in place of whatever was to be answered. */
export function writeError(
  request: IncomingMessage,
  response: ServerResponse,
  error: ErrorResponse,
  fields: HeaderFields = NO_FIELDS,
): void {
  if (response.getHeaderNames().length > 0) for (const name of OF_THE_OTHER_ANSWER) response.removeHeader(name);
  noteError(response, error);
  writeResponse(request, response, error.status, fields, JSON.stringify(error));
}

/** Lets who logs or measures the request know what it was answered with, where the answer goes another way than the response. */
export function noteError(response: ServerResponse, { code, status }: ErrorResponse): void {
  (response as ServerResponse & { [sentCode]?: string })[sentCode] = code;
  response.statusCode = status;
}

/** The code in the Error body that the request was answered with; nothing where it was answered with another body. */
export function errorCodeSentWith(response: ServerResponse): string | undefined {
  return (response as ServerResponse & { readonly [sentCode]?: string })[sentCode];
}
