import type { ServerResponse } from 'node:http';
import type { ErrorResponse } from '../errors/error-response.js';
import { exchangeOf } from '../requests/exchange.js';
import { HttpResponse, matchesEntityTag, NO_FIELDS, type HeaderFields } from './http-response.js';

/** On every 503: how long a client should wait before it retries, in seconds (RFC 9110, section 10.2.3). */
export const RETRY_LATER: HeaderFields = ['Retry-After', '1'];

/**
 * Writes the result of a handler as JSON with a strong `ETag`, even a string; 304 if the client has these bytes already.
 * If the handler set a `Content-Type`, a string is sent unchanged.
 */
export function writeResult(response: ServerResponse, result: unknown, status: number): void {
  if (result === undefined || status === 204 || status === 304) {
    writeResponse(response, status, NO_FIELDS);
    return;
  }
  const isTyped = response.hasHeader('Content-Type');
  const returned = responseOf(result, isTyped);
  const tag = response.getHeader('ETag');
  const fields = tag === undefined ? returned.fields : returned.ownFields;
  const { method, headers } = response.req;
  const { 'if-none-match': ifNoneMatch } = headers;
  if (
    status === 200 &&
    ifNoneMatch !== undefined &&
    (method === 'GET' || method === 'HEAD') &&
    matchesEntityTag(ifNoneMatch, String(tag ?? returned.entityTag).replace(/^W\//, ''))
  ) {
    if (isTyped) response.removeHeader('Content-Type');
    writeResponse(response, 304, fields);
  } else {
    writeResponse(response, status, fields, returned);
  }
}

function responseOf(result: unknown, isTyped: boolean): HttpResponse {
  if (result instanceof HttpResponse) return result;
  return isTyped && typeof result === 'string' ? HttpResponse.rendered(result) : HttpResponse.of(result);
}

/** The type of a body, unless the handler set another. */
const JSON_TYPE: HeaderFields = ['Content-Type', 'application/json'];

/**
 * Writes a complete response. The standing header fields are added to its own ones, and the type of its body.
 *
 * @throws Error of Node for an invalid header field; nothing is sent then
 */
export function writeResponse(
  response: ServerResponse,
  status: number,
  fields: HeaderFields,
  body?: Pick<HttpResponse, 'content' | 'bytes'>,
): void {
  if (body === undefined) {
    response.writeHead(status, [...fields]);
    response.end();
    return;
  }
  const { content, bytes } = body;
  const type = response.hasHeader('Content-Type') ? NO_FIELDS : JSON_TYPE;
  response.writeHead(status, [...type, ...fields, 'Content-Length', String(bytes)]);
  // ASCII text has the same bytes in both encodings, and Latin-1 needs no measuring before it is copied.
  response.end(content, bytes === content.length ? 'latin1' : 'utf8');
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
export function writeError(response: ServerResponse, error: ErrorResponse, fields: HeaderFields = NO_FIELDS): void {
  if (response.getHeaderNames().length > 0) for (const name of OF_THE_OTHER_RESPONSE) response.removeHeader(name);
  exchangeOf(response).errorCode = error.code;
  const content = JSON.stringify(error);
  writeResponse(response, error.status, fields, { content, bytes: Buffer.byteLength(content) });
}
