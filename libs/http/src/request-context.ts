import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** The fields that every log line of a request has. */
export interface RequestContext {
  readonly requestId: string;
}

/** The context of the request that the current code works for; empty outside a request. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

/** What the service knows of a request and its response, in addition to what Node and Express know. */
export class RequestState {
  /** When the header of the request had arrived, in the time of `performance.now()`. */
  readonly startedAt = performance.now();
  /** The code in the Error body of the response; `undefined` if it had another body. */
  errorCode: string | undefined = undefined;
  /** The header fields that announce that the route is deprecated; set before the guards run, for their refusals too. */
  deprecation: readonly string[] | undefined = undefined;
  /** Why the rest of the body will never arrive: it is not valid HTTP, or came too late. */
  bodyFault: Error | undefined = undefined;

  constructor(readonly context: RequestContext) {}
}

/** A response of our server. */
export interface StatefulResponse extends ServerResponse {
  state: RequestState | undefined;
}

/** The state of a request. Every request has one from the moment at which it is served. */
export function stateOf(response: ServerResponse): RequestState {
  const { state } = response as StatefulResponse;
  if (state === undefined) throw new Error('The response does not belong to a server of createHttpServer');
  return state;
}

/** The ids that a client or a proxy may set: short, and harmless in every place to which log lines are copied. */
const SAFE_ID = /^[A-Za-z0-9._:=/+-]{1,128}$/;

/** @param isSecret whether a text must not appear in the log, such as an API key that was sent as the id by mistake */
export function createContext({ headers }: IncomingMessage, isSecret: (text: string) => boolean): RequestContext {
  const { 'x-request-id': sent } = headers;
  const isUsable = typeof sent === 'string' && SAFE_ID.test(sent) && !isSecret(sent);
  return { requestId: isUsable ? sent : randomUUID() };
}
