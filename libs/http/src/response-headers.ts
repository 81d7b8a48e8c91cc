import type { ServerResponse } from 'node:http';
import type { ErrorResponse } from './errors/error-response.js';
import { stateOf } from './request-context.js';

/** Header fields as a list in which names and values alternate: Node writes this form without a copy. */
export type HeaderFields = readonly string[];

/**
 * The header fields that have the same value on every response. It belongs to the API key of its request, so no shared cache may
 * store it, and a private one must validate it. Nothing in it may be executed, framed, sniffed or sent in clear text.
 */
export const FIXED_FIELDS: HeaderFields = [
  ...['Cache-Control', 'private, no-cache'],
  ...['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ...['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
  ...['X-Content-Type-Options', 'nosniff'],
];

/** On every 503: how long a client should wait before it retries, in seconds (RFC 9110, section 10.2.3). */
export const RETRY_LATER: HeaderFields = ['Retry-After', '1'];

export function commonFields(response: ServerResponse): string[] {
  const { requestId, deprecation } = stateOf(response);
  const fields = [...FIXED_FIELDS, 'Vary', 'Authorization', 'X-Request-Id', requestId];
  if (deprecation !== undefined) fields.push(...deprecation);
  return fields;
}

/** Fields with several values, to which a later value is added. */
const IS_ADDED_TO = /^(?:link|vary)$/i;

/**
 * Sets header fields, in any form that Node takes, on a response that has others already. A name that is given twice is written
 * twice, as Node does it.
 *
 * @param keep whether a field stays that was set before
 */
export function setFields(response: ServerResponse, given: object, { keep = false } = {}): void {
  const fields = (Array.isArray(given) ? given : Object.entries(given).flat()) as string[];
  const names = fields.filter((_, at) => at % 2 === 0);
  if (!keep) for (const name of names) if (!IS_ADDED_TO.test(name)) response.removeHeader(name);
  for (const [index, name] of names.entries())
    if (!keep || IS_ADDED_TO.test(name) || !response.hasHeader(name))
      response.appendHeader(name, fields[2 * index + 1] ?? '');
}

/**
 * Writes a complete response with its header in one call, which adds the common fields.
 *
 * @param body JSON text, unless the handler set another type; without it the response has none
 * @throws Error of Node for an invalid header field; nothing is sent then
 */
export function writeResponse(
  response: ServerResponse,
  status: number,
  own: HeaderFields,
  body?: string,
  contentLength = String(Buffer.byteLength(body ?? '')),
): void {
  if (body === undefined) {
    response.writeHead(status, [...own]);
    response.end();
    return;
  }
  const type = response.hasHeader('Content-Type') ? [] : ['Content-Type', 'application/json'];
  response.writeHead(status, [...own, ...type, 'Content-Length', contentLength]);
  // ASCII text has the same bytes in both encodings, and Latin-1 needs no measuring before it is copied.
  response.end(body, contentLength === String(body.length) ? 'latin1' : 'utf8');
}

/** Header fields with which a handler described a response that it did not send. */
const REPRESENTATION_FIELDS =
  /^(?:content-(?!security-policy)|accept-ranges|cache-control|etag|expires|last-modified|transfer-encoding)/;

/** Writes an Error body instead of the intended response. */
export function writeError(response: ServerResponse, error: ErrorResponse, fields: HeaderFields = []): void {
  for (const name of response.getHeaderNames()) if (REPRESENTATION_FIELDS.test(name)) response.removeHeader(name);
  stateOf(response).errorCode = error.code;
  writeResponse(response, error.status, fields, JSON.stringify(error));
}
