import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { exchangeOf } from '../requests/exchange.js';
import type { RequestContext } from '../requests/request-context.js';
import { targetOf } from '../requests/request-target.js';

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

export type RequestObserver = (finished: FinishedRequest) => void;

/** Serves a request. The response must have its exchange before anything is written. */
export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * How many requests may wait behind the one that is served on a connection (pipelining, RFC 9112, section 9.3.2). Node
 * starts all requests of one read, and hardly any client sends ahead. A connection with more is closed.
 */
const MAX_WAITING = 32;

type Arrival = readonly [request: IncomingMessage, response: ServerResponse];

/** One connection and its requests. */
class Connection {
  /** The response to the request that is served; `undefined` if the connection is idle. */
  current: ServerResponse | undefined;
  /** The response to the latest request that was served, until both are complete: old objects that refer to new ones cost V8. */
  latest: ServerResponse | undefined;
  /** Since when the connection is idle, in the time of `performance.now()`. */
  idleSince = performance.now();
  /** The requests that have arrived meanwhile, the oldest first. */
  readonly waiting: Arrival[] = [];
  isWatched = false;
}

/**
 * The open connections and the requests in flight. The only place that observes requests: it tells logs and metrics of
 * each when its response is over.
 *
 * From two rules the memory of the service is bounded. There are at most so many connections; a further one replaces the
 * one that has been idle for the longest time. And one request of a connection is served at a time; the next one begins
 * when the response before it has been handed to the kernel whole.
 */
export class RequestTracker {
  private readonly open = new Map<Socket, Connection>();
  private readonly observers: RequestObserver[] = [];
  private unfinished = 0;
  private serve: Serve = () => undefined;

  /** The number of requests that are being served. */
  get inFlight(): number {
    return this.unfinished;
  }

  get openConnections(): number {
    return this.open.size;
  }

  observe(observer: RequestObserver): void {
    this.observers.push(observer);
  }

  /**
   * Must be called once, before the server listens.
   *
   * @param maxConnections the number of connections that may be open
   */
  attach(server: Server, maxConnections: number, serve: Serve): void {
    this.serve = serve;
    server.on('connection', (socket: Socket) => {
      this.open.set(socket, new Connection());
      socket.once('close', () => this.open.delete(socket));
      if (this.open.size > maxConnections) this.closeIdlest();
    });
  }

  /** Must be called with every request: serves it, or keeps it until those before it on its connection are over. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.open.get(socket);
    if (connection === undefined || socket.destroyed) return;
    if (connection.current === undefined && connection.waiting.length === 0) {
      this.begin(connection, request, response);
    } else if (connection.waiting.push([request, response]) > MAX_WAITING) {
      socket.destroy();
    } else {
      stopReading(socket, connection);
    }
  }

  /** The response to the latest request of a connection; `undefined` if both are complete. */
  latestOn(socket: Duplex): ServerResponse | undefined {
    return this.open.get(socket as Socket)?.latest;
  }

  /** The responses that are not over. */
  unfinishedResponses(): ServerResponse[] {
    return Array.from(this.open.values(), ({ current }) => current).filter((response) => response !== undefined);
  }

  /** Closes every connection immediately. */
  destroyConnections(): void {
    for (const socket of this.open.keys()) socket.destroy();
  }

  private begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    this.unfinished += 1;
    connection.current = connection.latest = response;
    response.on('close', () => {
      this.unfinished -= 1;
      connection.current = undefined;
      if (request.complete) connection.latest = undefined;
      const now = (connection.idleSince = performance.now());
      if (connection.waiting.length > 0) setImmediate(this.beginNext, socket, connection);
      this.tell(request, response, now);
    });
    this.serve(request, response);
  }

  /** Called in a later turn of the event loop, so that a connection with many requests does not delay the others. */
  private readonly beginNext = (socket: Socket, connection: Connection): void => {
    // Nothing is carried out after the request whose response ended the connection (RFC 9112, section 9.6).
    const next = socket.writable ? connection.waiting.shift() : undefined;
    if (next === undefined) return;
    if (connection.waiting.length === 0) socket.resume();
    this.begin(connection, ...next);
  };

  private tell(request: IncomingMessage, response: ServerResponse, now: number): void {
    const { context, startedAt, errorCode, deprecation } = exchangeOf(response);
    const finished: FinishedRequest = {
      request,
      response,
      context,
      target: targetOf(request),
      ms: now - startedAt,
      isAborted: !response.writableFinished,
      errorCode,
      isDeprecated: deprecation !== undefined,
    };
    for (const observe of this.observers) observe(finished);
  }

  /** Closes the connection that has been idle for the longest time: the new one, if no other is idle. */
  private closeIdlest(): void {
    let idlest: Socket | undefined;
    let since = Infinity;
    for (const [socket, { current, waiting, idleSince }] of this.open) {
      if (current !== undefined || waiting.length > 0 || idleSince >= since) continue;
      [idlest, since] = [socket, idleSince];
    }
    if (idlest === undefined) return;
    this.open.delete(idlest);
    idlest.destroy();
  }
}

/** While requests wait, nothing more is read from their connection than the one read has brought that is being parsed. */
function stopReading(socket: Socket, connection: Connection): void {
  socket.pause();
  if (connection.isWatched) return;
  connection.isWatched = true;
  // Code that reads or drops a body resumes the socket.
  socket.on('resume', () => {
    if (connection.waiting.length > 0) socket.pause();
  });
}
