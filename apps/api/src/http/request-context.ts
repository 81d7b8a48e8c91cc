import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hideApiKeys } from '@animal-store/auth';

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

let currentTraceId: (() => string | undefined) | undefined;

/** Lets log lines tell the traces of this process, also those that begin here. */
export function takeTraceIdsFrom(source: () => string | undefined): void {
  currentTraceId = source;
}

const contextKey = Symbol('request context');

interface InContext {
  [contextKey]?: RequestContext | undefined;
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

/** The id of the request: its own `X-Request-Id` where that is sane, else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  return contextOf(request).requestId;
}

/** The context of a request, made when it is first asked for. */
export function contextOf(request: IncomingMessage): RequestContext {
  return ((request as InContext)[contextKey] ??= makeContext(request));
}

/** A key that came as an id by mistake would be in every line of the log, and in the answer. */
function isSane(id: string): boolean {
  return SANE_ID.test(id) && hideApiKeys(id) === id;
}

function makeContext({ headers }: IncomingMessage): RequestContext {
  const sent = headers['x-request-id'];
  const requestId = typeof sent === 'string' && isSane(sent) ? sent : newRequestId();
  const traceparent = headers['traceparent'];
  const traceId =
    currentTraceId?.() ??
    (typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.groups?.['traceId'] : undefined);
  return traceId === undefined ? { requestId } : { requestId, trace_id: traceId };
}
