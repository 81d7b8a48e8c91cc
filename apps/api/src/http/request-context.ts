import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What every log line tells of the request that it was written for. */
export interface RequestContext {
  readonly requestId: string;
}

/** The context of the request that the current code works for; empty outside a request. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

/** Ids that a client or a proxy may set: short, and harmless wherever a log line ends up. */
const SANE_ID = /^[A-Za-z0-9._:=/+-]{1,128}$/;

const contexts = new WeakMap<IncomingMessage, RequestContext>();

/** The id of the request: its own `X-Request-Id` where that is sane, else a new UUID. */
export function requestIdOf(request: IncomingMessage): string {
  return contextOf(request).requestId;
}

export function contextOf(request: IncomingMessage): RequestContext {
  let context = contexts.get(request);
  if (context === undefined) {
    const sent = request.headers['x-request-id'];
    context = { requestId: typeof sent === 'string' && SANE_ID.test(sent) ? sent : randomUUID() };
    contexts.set(request, context);
  }
  return context;
}
