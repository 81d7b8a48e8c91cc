import type { ServerResponse } from 'node:http';
import type { RequestContext } from './request-context.js';
import type { Deprecation } from '../routes/deprecation.js';

/** What the service knows of one request and its response, beside what Node and Express know. */
export class Exchange {
  /** When the header of the request had arrived, in the time of `performance.now()`. */
  readonly startedAt = performance.now();
  /** The code in the Error body of the response; `undefined` if it had another body. */
  errorCode: string | undefined = undefined;
  /** The deprecation of the route, so that every response of the route announces it. */
  deprecation: Deprecation | undefined = undefined;
  /** Why the rest of the body will never arrive: it is not valid HTTP, or came too late. */
  fault: Error | undefined = undefined;
  /** The body of the response is a file, which may turn out to be unreadable. */
  sendsFile = false;
  /** The body of the request was refused while it arrived. */
  isBodyRefused = false;
  /** The body is left unread with this response, so the connection ends with it. */
  leavesBody = false;

  constructor(readonly context: RequestContext) {}
}

/** A response of our server. Its class is made for each application ({@link messageClasses}). */
export interface ExchangeResponse extends ServerResponse {
  exchange: Exchange | undefined;
}

/** The exchange of a response. Every response has one from the moment at which its request is served. */
export function exchangeOf(response: ServerResponse): Exchange {
  const { exchange } = response as ExchangeResponse;
  if (exchange === undefined) throw new Error('The response does not belong to a server of createHttpServer');
  return exchange;
}
