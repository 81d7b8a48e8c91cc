import type { IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';
import { AsyncLocalStorage } from 'node:async_hooks';

/** The ids that a client or a proxy may set: short, and harmless in every place to which log lines are copied. */
const SANE_ID = /^[A-Za-z0-9._:=/+-]{1,128}$/;

/**
 * The request's own `X-Request-Id`; `undefined` if it is missing, malformed or secret.
 *
 * @param isSecret whether a text must not appear in the log, such as an API key that was sent as the id by mistake
 */
function sentRequestId({ headers }: IncomingMessage, isSecret?: (text: string) => boolean): string | undefined {
  const id = headers['x-request-id'];
  return typeof id === 'string' && SANE_ID.test(id) && isSecret?.(id) !== true ? id : undefined;
}

/** The header `traceparent` (W3C Trace Context, section 3.2): version, trace id, parent id, flags. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?<traceId>(?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/** The trace id in the `traceparent` of a request; `undefined` if the header is missing or malformed. */
function sentTraceId({ headers }: IncomingMessage): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.groups?.['traceId'] : undefined;
}

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
  return ((request as WithContext)[contextKey] ??= { requestId: randomUUID() });
}

function createContext(
  request: IncomingMessage,
  { isSecret, currentTraceId }: RequestContextOptions,
): RequestContext & WithRequest {
  const requestId = sentRequestId(request, isSecret) ?? randomUUID();
  const traceId = currentTraceId?.() ?? sentTraceId(request);
  return traceId === undefined
    ? { requestId, [requestKey]: request }
    : { requestId, trace_id: traceId, [requestKey]: request };
}

/** The property that guards set on an authenticated request, as Passport does; the guard decides its type. */
interface WithUser {
  readonly user?: unknown;
}

/** Whether a guard has authenticated the request. */
export function isAuthenticated(request: IncomingMessage): boolean {
  return (request as WithUser).user !== undefined;
}
