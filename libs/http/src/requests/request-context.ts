import type { IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';
import { AsyncLocalStorage } from 'node:async_hooks';

/** The fields that every log line of a request has. */
export interface RequestContext {
  readonly requestId: string;
  /** The trace that the request belongs to (W3C Trace Context), if there is one. */
  readonly trace_id?: string;
}

/** Stores the context of the request that the current code works for; empty outside a request. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

/** The ids that a client or a proxy may set: short, and harmless in every place to which log lines are copied. */
const SANE_ID = /^[A-Za-z0-9._:=/+-]{1,128}$/;

/** The header `traceparent` (W3C Trace Context, section 3.2): version, trace id, parent id, flags. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?<traceId>(?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;

/**
 * Makes the context of a request. The id is the request's `X-Request-Id` if that is sane, otherwise a new one.
 *
 * @param isSecret whether a text must not appear in the log, such as an API key that was sent as the id by mistake
 */
export function createContext({ headers }: IncomingMessage, isSecret: (text: string) => boolean): RequestContext {
  const { 'x-request-id': sent, traceparent } = headers;
  const isUsable = typeof sent === 'string' && SANE_ID.test(sent) && !isSecret(sent);
  const requestId = isUsable ? sent : randomUUID();
  const traceId = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.groups?.['traceId'] : undefined;
  return traceId === undefined ? { requestId } : { requestId, trace_id: traceId };
}
