import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { newRequestId, sentRequestId } from './request-id.js';
import { sentTraceId } from './traceparent.js';

/** The fields that every log line of a request has. */
export interface RequestContext {
  readonly requestId: string;
  /** The trace that the request belongs to (W3C Trace Context), if there is one. */
  readonly trace_id?: string;
}

/** Stores the context of the request that the current code works for; empty outside a request. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

/** How an application sets the context of its requests. */
export interface RequestContextOptions {
  /** Whether a text is secret, such as an API key: it is then not used as the id of a request. */
  readonly isSecret?: (text: string) => boolean;
  /** The id of the trace that the current code belongs to, even if the trace began in this process. */
  readonly currentTraceId?: (() => string | undefined) | undefined;
}

const contextKey = Symbol('request context');

/** A symbol, because log lines leave symbols out. */
const requestKey = Symbol('request');

interface WithContext {
  [contextKey]?: RequestContext | undefined;
}

interface WithRequest {
  readonly [requestKey]?: IncomingMessage;
}

/** The request that the current code works for; `undefined` outside a request. */
export function currentRequest(): IncomingMessage | undefined {
  return (requestContext.getStore() as WithRequest | undefined)?.[requestKey];
}

/** The id of the request. */
export function requestIdOf(request: IncomingMessage): string {
  return contextOf(request).requestId;
}

/** Creates the context of a request. The id is the request's `X-Request-Id` if that is sane, otherwise a new one. */
export function openContext(request: IncomingMessage, options: RequestContextOptions): RequestContext {
  return ((request as WithContext)[contextKey] = createContext(request, options));
}

/** The context of a request. A request that was refused before it was served has only a new id. */
export function contextOf(request: IncomingMessage): RequestContext {
  return ((request as WithContext)[contextKey] ??= { requestId: newRequestId() });
}

function createContext(
  request: IncomingMessage,
  { isSecret, currentTraceId }: RequestContextOptions,
): RequestContext & WithRequest {
  const requestId = sentRequestId(request, isSecret) ?? newRequestId();
  const traceId = currentTraceId?.() ?? sentTraceId(request);
  return traceId === undefined
    ? { requestId, [requestKey]: request }
    : { requestId, trace_id: traceId, [requestKey]: request };
}
