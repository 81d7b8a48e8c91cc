import type { IncomingMessage, ServerResponse } from 'node:http';
import { endWithOthers } from '../connections/request-tracker.js';
import { NO_FIELDS, type HeaderFields } from './http-response.js';
import { commonHeaders } from './common-headers.js';
import { skipCommonHeaders } from './write-head.js';
import type { ErrorResponse } from '../errors/error.response.js';

/** On every 503: how long a client should wait before it retries, in seconds (RFC 9110, section 10.2.3). */
export const RETRY_LATER: HeaderFields = ['Retry-After', '1'];

const JSON_TYPE = 'application/json';

/**
 * The size above which a text is sent as bytes. While a client does not read it, a text would be in memory twice, and
 * Node would count its characters instead of its bytes.
 */
const LARGE_BYTES = 16 * 1024;

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
  const all = commonHeaders(request, response, fields);
  all.push(...fields);
  if (body !== undefined) {
    if (type !== null) all.push('Content-Type', type);
    all.push('Content-Length', String(bytes));
  }
  skipCommonHeaders(response);
  // Written now, because Node throws for an invalid header field.
  response.writeHead(status, all);
  // ASCII text has the same bytes in both encodings, and Latin-1 needs no measuring before it is copied.
  const encoding = bytes === body?.length ? 'latin1' : 'utf8';
  endWithOthers(response, body !== undefined && bytes > LARGE_BYTES ? Buffer.from(body, encoding) : body, encoding);
}

/** Header fields with which a handler described a response that it did not send. */
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

/** Writes an Error body instead of the intended response. */
export function writeError(
  request: IncomingMessage,
  response: ServerResponse,
  error: ErrorResponse,
  fields: HeaderFields = NO_FIELDS,
): void {
  if (response.getHeaderNames().length > 0) for (const name of OF_THE_OTHER_ANSWER) response.removeHeader(name);
  recordError(response, error);
  writeResponse(request, response, error.status, fields, JSON.stringify(error));
}

/** Records the error for logs and metrics, if the response is not written by Node's response object. */
export function recordError(response: ServerResponse, { code, status }: ErrorResponse): void {
  (response as ServerResponse & { [sentCode]?: string })[sentCode] = code;
  response.statusCode = status;
}

/** The code in the Error body of the response; `undefined` if it had another body. */
export function errorCodeSentWith(response: ServerResponse): string | undefined {
  return (response as ServerResponse & { readonly [sentCode]?: string })[sentCode];
}
