import { ServerResponse } from 'node:http';
import { forwardedPrefix } from '../requests/forwarded-prefix.js';
import { commonHeadersOfStream } from './common-headers.js';
import { NO_FIELDS } from './http-response.js';
import { ADDRESS_FIELDS, prefixedFields, prefixedValue } from './prefixed-fields.js';

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
  setAll(this, commonHeadersOfStream(this));
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
