import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorResponse } from '../errors/error-response.js';
import { contextOf, isAuthenticated, type RequestContext } from '../requests/request-context.js';
import { targetOf } from '../requests/request-target.js';
import { deprecationOf } from '../routes/deprecation.js';

export type RequestObserver = (finished: FinishedRequest) => void;

/** On a response: the code of the Error body that was sent. */
const sentCode = Symbol('sent error code');

/** On a response: when its request arrived, in the time of `performance.now()`. */
export const startedAt = Symbol('started at');

/** The response to the latest request of a connection; `undefined` when that request is complete and has its response. */
const latest = Symbol('latest response');

/** Since when the connection has been idle, in the time of `performance.now()`. */
const idleSince = Symbol('idle since');

/** Whether a request with a valid API key arrived on the connection. */
const isKnown = Symbol('is known');

type Begun = ServerResponse & {
  [startedAt]?: number | undefined;
  [sentCode]?: string;
};
type Connection = Socket & { [latest]?: ServerResponse | undefined; [idleSince]?: number; [isKnown]?: boolean };

/** A request whose response is over: what logs and metrics are told of it. */
export interface FinishedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly context: RequestContext;
  /** The target as it arrived. */
  readonly target: string;
  /** The time since the header of the request arrived, in milliseconds. */
  readonly ms: number;
  /** The connection ended before the response was sent: the client left, or the service closed it. */
  readonly isAborted: boolean;
  /** The code in the Error body of the response; `undefined` if it had another body. */
  readonly errorCode: string | undefined;
  /** The route is deprecated. */
  readonly isDeprecated: boolean;
}

/**
 * The requests in flight and the open connections. The only place that observes requests: it tells logs and metrics of
 * each when its response is over.
 */
export class RequestTracker {
  private readonly open = new Set<Connection>();
  private readonly observers: RequestObserver[] = [];
  private readonly onClose = this.closeListener();
  private unfinished = 0;

  /** The number of requests whose response is not over yet. */
  get inFlight(): number {
    return this.unfinished;
  }

  get openConnections(): number {
    return this.open.size;
  }

  connections(): Iterable<Socket> {
    return this.open;
  }

  /** Must be called once, before the server listens. */
  attach(server: Server): void {
    server.on('connection', (connection: Connection) => {
      connection[latest] = undefined;
      connection[idleSince] = performance.now();
      connection[isKnown] = false;
      this.open.add(connection);
      connection.once('close', () => this.open.delete(connection));
    });
  }

  observe(observer: RequestObserver): void {
    this.observers.push(observer);
  }

  /** Must be called with every request, before anything else is done with it. */
  begin(response: ServerResponse): void {
    this.unfinished += 1;
    (response as Begun)[startedAt] = performance.now();
    (response.req.socket as Connection)[latest] = response;
    response.on('close', this.onClose);
  }

  /**
   * The response to the latest request of a connection, while it is being served or while the rest of the request is
   * arriving.
   */
  latestOn(connection: Duplex): ServerResponse | undefined {
    return (connection as Connection)[latest];
  }

  /**
   * Cancels {@link begin} for a request that will get no response. Observers are not told.
   *
   * @param last the response with which the connection ends
   */
  forget(response: ServerResponse, last: ServerResponse): void {
    this.unfinished -= 1;
    (response as Begun)[startedAt] = undefined;
    (last.req.socket as Connection)[latest] = last;
  }

  /**
   * Ends what {@link begin} began, if Node does not emit `close` for it because the connection is closed. May be called
   * again.
   */
  end(response: ServerResponse): void {
    const begun = response as Begun;
    if (begun[startedAt] === undefined) return;
    const now = performance.now();
    const ms = now - begun[startedAt];
    begun[startedAt] = undefined;
    this.unfinished -= 1;
    const { req: request } = response;
    const connection: Connection = request.socket;
    // Otherwise an idle connection would keep both in memory until the next request.
    if (request.complete && connection[latest] === response) connection[latest] = undefined;
    connection[idleSince] = now;
    connection[isKnown] ||= isAuthenticated(request);
    const finished: FinishedRequest = {
      request,
      response,
      context: contextOf(request),
      target: targetOf(request),
      ms,
      isAborted: !response.writableFinished,
      errorCode: begun[sentCode],
      isDeprecated: deprecationOf(request) !== undefined,
    };
    for (const observe of this.observers) observe(finished);
  }

  /** The latest response of every connection whose latest response is not over. */
  unfinishedResponses(): ServerResponse[] {
    return Array.from(this.open, (connection) => connection[latest]).filter(
      (response): response is ServerResponse => response !== undefined && isUnfinished(response),
    );
  }

  /**
   * The idle connections. Connections that never sent a valid API key come first; within each group, the one that has
   * been idle for the longest time comes first.
   */
  idleConnections(): Socket[] {
    return Array.from(this.open).filter(isIdle).sort(byWorth);
  }

  /** Closes every connection immediately. */
  destroyConnections(): void {
    for (const connection of this.open) connection.destroy();
  }

  /** One listener for all responses: a listener per response would be two more objects for every request in flight. */
  private closeListener(): (this: Begun) => void {
    const end = (response: Begun) => {
      this.end(response);
    };
    return function () {
      end(this);
    };
  }
}

/** Records the Error body of a response for {@link FinishedRequest}, before it is sent. */
export function recordError(response: ServerResponse, { code, status }: ErrorResponse): void {
  (response as Begun)[sentCode] = code;
  response.statusCode = status;
}

function byWorth(one: Connection, other: Connection): number {
  return Number(one[isKnown]) - Number(other[isKnown]) || (one[idleSince] ?? 0) - (other[idleSince] ?? 0);
}

/** Whether no request of the connection is in flight. */
export function isIdle(connection: Socket): boolean {
  const response = (connection as Connection)[latest];
  return !connection.destroyed && (response === undefined || !isUnfinished(response));
}

/** Whether the client still waits for the response, or for a part of it. */
export function isUnfinished(response: ServerResponse): boolean {
  return !response.writableFinished && !response.destroyed;
}
