import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What every log line tells of the request that it was written for. */
export interface RequestContext {
  readonly requestId: string;
  /** The trace that the request belongs to (W3C Trace Context), where there is one. */
  readonly trace_id?: string;
}

/** The context of the request that the current code works for; empty outside a request. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

/** Ids that a client or a proxy may set: short, and harmless wherever a log line ends up. */
const SANE_ID = /^[A-Za-z0-9._:=/+-]{1,128}$/;

/** The header `traceparent` (W3C Trace Context, section 3.2): version, trace id, parent id, flags. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?<traceId>(?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/** Bytes of an id that is made here: 128 random bits, as many as no two requests share. */
const ID_BYTES = 16;

/** Drawn for many ids at once. */
const randomness = Buffer.alloc(256 * ID_BYTES);
let used = randomness.length;

/** What an application adds to the context of its requests. */
export interface RequestContextOptions {
  /** Whether a text holds what nobody may read, such as an API key: it then is no id for a request. */
  readonly isSecret?: (text: string) => boolean;
  /** The id of the trace that the current code belongs to, also of one that began in this process. */
  readonly currentTraceId?: (() => string | undefined) | undefined;
}

const contextKey = Symbol('request context');

/** A symbol: log lines leave it out. */
const requestKey = Symbol('request');

interface InContext {
  [contextKey]?: RequestContext | undefined;
}

interface OfRequest {
  readonly [requestKey]?: IncomingMessage;
}

/** An id that no other request has, here or on another instance. Cheaper than a UUID, which is put together from pieces. */
export function newRequestId(): string {
  if (used === randomness.length) {
    randomFillSync(randomness);
    used = 0;
  }
  used += ID_BYTES;
  return randomness.toString('hex', used - ID_BYTES, used);
}

/** The request that the current code works for; `undefined` outside a request. */
export function currentRequest(): IncomingMessage | undefined {
  return (requestContext.getStore() as OfRequest | undefined)?.[requestKey];
}

/** The id of the request. */
export function requestIdOf(request: IncomingMessage): string {
  return contextOf(request).requestId;
}

/** Makes the context of a request: with its own `X-Request-Id` where that is sane, else a new one. */
export function openContext(request: IncomingMessage, options: RequestContextOptions): RequestContext {
  return ((request as InContext)[contextKey] = makeContext(request, options));
}

/** The context of a request; of one that was refused before it was served, no more than a new id. */
export function contextOf(request: IncomingMessage): RequestContext {
  return ((request as InContext)[contextKey] ??= { requestId: newRequestId() });
}

function makeContext(
  request: IncomingMessage,
  { isSecret, currentTraceId }: RequestContextOptions,
): RequestContext & OfRequest {
  const { headers } = request;
  const sent = headers['x-request-id'];
  // A key that came as an id by mistake would be in every line of the log, and in the answer.
  const isSane = typeof sent === 'string' && SANE_ID.test(sent) && isSecret?.(sent) !== true;
  const requestId = isSane ? sent : newRequestId();
  const traceparent = headers['traceparent'];
  const traceId =
    currentTraceId?.() ??
    (typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.groups?.['traceId'] : undefined);
  return traceId === undefined
    ? { requestId, [requestKey]: request }
    : { requestId, trace_id: traceId, [requestKey]: request };
}
