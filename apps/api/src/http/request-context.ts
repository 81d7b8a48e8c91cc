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

const contextKey = Symbol('request context');

interface InContext {
  [contextKey]?: RequestContext | undefined;
}

/** The id of the request: its own `X-Request-Id` where that is sane, else a new UUID. */
export function requestIdOf(request: IncomingMessage): string {
  return contextOf(request).requestId;
}

/** The context of a request, made when it is first asked for. */
export function contextOf(request: IncomingMessage): RequestContext {
  return ((request as InContext)[contextKey] ??= makeContext(request));
}

function makeContext({ headers }: IncomingMessage): RequestContext {
  const sent = headers['x-request-id'];
  return { requestId: typeof sent === 'string' && SANE_ID.test(sent) ? sent : randomUUID() };
}
