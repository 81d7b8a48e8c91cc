import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { stateOf, type RequestState } from '../request-context.js';

/** A request whose response has finished: what logs and metrics are told of it. */
export interface FinishedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly state: RequestState;
  /** The time since the header of the request arrived, in milliseconds. */
  readonly ms: number;
  /** The connection ended before the response was sent: the client left, or the service closed it. */
  readonly isAborted: boolean;
}

export type RequestObserver = (finished: FinishedRequest) => void;

/** Serves a request. */
export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * How many requests may wait behind the one that is served on a connection (pipelining, RFC 9112, section 9.3.2). Node
 * starts all requests of one read, and hardly any client sends ahead. A connection with more is closed.
 */
const MAX_WAITING = 32;

/** One connection and its requests. */
class Connection {
  /** The response to the request that is served; `undefined` if the connection is idle. */
  current: ServerResponse | undefined;
  /** The response to the latest request, unless both were complete at its end: the rest of a body may arrive later. */
  latest: ServerResponse | undefined;
  /** Since when the connection is idle or serves its request, in the time of `performance.now()`. */
  idleSince = performance.now();
  /** The requests that have arrived meanwhile, the oldest first. */
  readonly waiting: (readonly [request: IncomingMessage, response: ServerResponse])[] = [];
}

/**
 * The open connections and the requests in flight. The only place that observes requests: it tells logs and metrics of
 * each when its response has finished.
 *
 * From two rules the memory of the service is bounded. There are at most so many connections; a further one replaces the
 * one that has been idle for the longest time. And one request of a connection is served at a time; the next one begins
 * when the response before it has been handed to the kernel whole.
 */
export class RequestTracker {
  private readonly open = new Map<Duplex, Connection>();
  private readonly observers: RequestObserver[] = [];
  private serve: Serve = () => undefined;

  /** The number of requests that are being served. */
  get inFlight(): number {
    return this.unfinishedResponses().length;
  }

  get openConnections(): number {
    return this.open.size;
  }

  observe(observer: RequestObserver): void {
    this.observers.push(observer);
  }

  /** Must be called once, before the server listens. @param maxConnections the number of connections that may be open */
  attach(server: Server, maxConnections: number, serve: Serve): void {
    this.serve = serve;
    server.on('connection', (socket: Socket) => {
      this.open.set(socket, new Connection());
      socket.once('close', () => this.open.delete(socket));
      if (this.open.size > maxConnections) this.closeIdlest(socket);
    });
  }

  /** Must be called with every request: serves it, or keeps it until those before it on its connection are over. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.open.get(socket);
    if (connection === undefined || socket.destroyed) return;
    const { current, waiting } = connection;
    if (current === undefined && waiting.length === 0) this.begin(connection, request, response);
    else if (waiting.push([request, response]) > MAX_WAITING) socket.destroy();
    else socket.pause();
  }

  /** The response to the latest request of a connection; `undefined` if both were complete at its end. */
  latestResponseOn(socket: Duplex): ServerResponse | undefined {
    return this.open.get(socket)?.latest;
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
    // Kept here, because a handler that destroys its request takes the connection from it.
    const { socket } = request;
    connection.current = connection.latest = response;
    connection.idleSince = performance.now();
    response.on('close', () => {
      connection.current = undefined;
      if (request.complete) connection.latest = undefined;
      connection.idleSince = performance.now();
      // In a later turn of the event loop, so that a connection with many requests does not delay the others.
      if (connection.waiting.length > 0) setImmediate(this.beginNext, socket, connection);
      const state = stateOf(response);
      const ms = connection.idleSince - state.startedAt;
      const finished = { request, response, state, ms, isAborted: !response.writableFinished };
      for (const observe of this.observers) observe(finished);
    });
    this.serve(request, response);
  }

  private readonly beginNext = (socket: Socket, connection: Connection): void => {
    // Nothing is carried out after the request whose response ended the connection (RFC 9112, section 9.6).
    const next = socket.writable ? connection.waiting.shift() : undefined;
    if (connection.waiting.length === 0) socket.resume();
    if (next !== undefined) this.begin(connection, ...next);
  };

  /**
   * Closes the connection that has been idle for the longest time, or whose client does not read its response: the newest,
   * if there is no other such.
   */
  private closeIdlest(newest: Duplex): void {
    let idlest = newest;
    let since = Infinity;
    for (const [socket, { current, waiting, idleSince }] of this.open) {
      const isIdle = current === undefined ? waiting.length === 0 : socket.writableNeedDrain;
      if (!isIdle || socket === newest || idleSince >= since) continue;
      [idlest, since] = [socket, idleSince];
    }
    this.open.delete(idlest);
    idlest.destroy();
  }
}
