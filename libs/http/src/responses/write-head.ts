import { ServerResponse } from 'node:http';
import { forwardedPrefix } from '../requests/forwarded-prefix.js';
import { commonHeadersOfStream } from './common-headers.js';
import { NO_FIELDS } from './http-response.js';
import { ADDRESS_FIELDS, prefixedFields, prefixedValue } from './prefixed-fields.js';

/** On a response: no header fields are added, because they are already in its header, or because it must not have them. */
export const isComplete = Symbol('is complete');

type Marked = ServerResponse & { [isComplete]?: boolean };

/** Sends the header of this response unchanged, without the fields that every response carries. */
export function skipCommonHeaders(response: ServerResponse): void {
  (response as Marked)[isComplete] = true;
}

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
  const prefix = forwardedPrefix(this);
  if (asItIs) {
    if (prefix === undefined || this.headersSent) return writeHeadOfNode.call(this, status, reason, headers);
    prefixAll(this, prefix);
    return writeHeadOfNode.call(this, status, prefixedFields(listOf(headers ?? reason), prefix));
  }
  const given = typeof reason === 'string' ? headers : (headers ?? reason);
  setAll(this, listOf(given));
  setAll(this, commonHeadersOfStream(this));
  if (prefix !== undefined) prefixAll(this, prefix);
  return writeHeadOfNode.call(this, status, typeof reason === 'string' ? reason : undefined);
}

/** Adds the prefix that a proxy removed to the fields that are set on a response. */
function prefixAll(response: ServerResponse, prefix: string): void {
  for (const name of ADDRESS_FIELDS) {
    const value = response.getHeader(name);
    if (value !== undefined) response.setHeader(name, prefixedValue(name, value, prefix) as string);
  }
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
export function setAll(response: ServerResponse, fields: readonly unknown[]): void {
  const values = new Map<string, unknown>();
  for (let index = 0; index < fields.length; index += 2) {
    const name = String(fields[index]);
    const value = fields[index + 1];
    values.set(name, values.has(name) ? [values.get(name), value].flat() : value);
  }
  for (const [name, value] of values) response.setHeader(name, value as string);
}
