import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What the service knows of a request and its response, in addition to what Node and Express know. */
export class RequestState {
  /** When the header of the request had arrived, in the time of `performance.now()`. */
  readonly startedAt = performance.now();
  /** The code in the Error body of the response; `undefined` if it had another body. */
  errorCode: string | undefined = undefined;
  /** For the log: the innermost cause of a refusal, which its client does not learn, or the message of a 503 without one. */
  reason: string | undefined = undefined;
  /** The header fields that announce that the route is deprecated. */
  deprecation: readonly string[] | undefined = undefined;
  /** Why the rest of the body will never arrive: it is not valid HTTP, or came too late. */
  bodyFault: Error | undefined = undefined;

  constructor(readonly requestId: string) {}
}

/** The state of the request that the current code works for; `undefined` outside a request. */
export const requestContext = new AsyncLocalStorage<RequestState>();

/** A response of our server. */
export interface StatefulResponse extends ServerResponse {
  readonly state: RequestState;
}

export function stateOf(response: ServerResponse): RequestState {
  return (response as StatefulResponse).state;
}

/** The ids that a client or a proxy may set: short, and harmless in every place to which log lines are copied. */
const SAFE_ID = /^[A-Za-z0-9._:=/+-]{1,128}$/;

/** @param isSecret whether a text must not appear in the log, such as an API key that was sent as the id by mistake */
export function requestIdOf({ headers }: IncomingMessage, isSecret: (text: string) => boolean): string {
  const { 'x-request-id': sent } = headers;
  return typeof sent === 'string' && SAFE_ID.test(sent) && !isSecret(sent) ? sent : randomUUID();
}
