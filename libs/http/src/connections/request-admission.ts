import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { RequestTracker } from './request-tracker.js';
import type { ServerLimits } from './server-limits.js';

type Arrival = readonly [request: IncomingMessage, response: ServerResponse];

/** The requests of one connection. */
interface Pipeline {
  readonly socket: Socket;
  /** The responses to the requests that are being served. */
  readonly served: ServerResponse[];
  /** The requests that have not begun, the oldest first. */
  readonly waiting: Arrival[];
  /**
   * The number of requests that count as waiting: `waiting`, and on a refused connection also the requests that Node
   * keeps in memory until it is closed.
   */
  counted: number;
  /** Whether listeners keep the socket paused while requests wait. */
  isWatched: boolean;
  /** The response that refuses a request: it is the last response on the connection. */
  refusal: ServerResponse | undefined;
}

const pipeline = Symbol('pipeline');

type Connection = Socket & { [pipeline]?: Pipeline };

/** The pipeline of a connection, which is created with its first request. */
function pipelineOf(connection: Connection): Pipeline {
  const known = connection[pipeline];
  if (known !== undefined) return known;
  return (connection[pipeline] = {
    socket: connection,
    served: [],
    waiting: [],
    counted: 0,
    isWatched: false,
    refusal: undefined,
  });
}

/** Whether the connection ends with a response that is already decided: everything else that arrives on it is ignored. */
function isRefused(socket: Socket): boolean {
  return (socket as Connection)[pipeline]?.refusal !== undefined;
}

const upgrade = Symbol('upgrade');

type Upgradable = IncomingMessage & { [upgrade]?: boolean };

/**
 * Stops Node's parser after a refused request. One read may have brought thousands of requests, which would take memory
 * until the connection is closed.
 *
 * Node asks every request whether the connection changes to another protocol with it (`upgrade`), and then parses
 * nothing more. If a future version of Node does not ask, the requests are parsed and dropped.
 *
 * @param Request the class of the server's requests
 * @param server created with `shouldUpgradeCallback: leavesHttp`
 */
export function stopParsingAfterRefused(Request: typeof IncomingMessage, server: Server): void {
  Object.defineProperty(Request.prototype, 'upgrade', {
    configurable: true,
    get(this: Upgradable) {
      return this[upgrade] === true || isRefused(this.socket);
    },
    set(this: Upgradable, value: boolean) {
      this[upgrade] = value;
    },
  });
  server.on('upgrade', (_request: IncomingMessage, socket: Duplex) => {
    // The refusal is being sent and ends the connection. Node has no listener for errors any more.
    socket.on('error', () => undefined);
  });
}

/**
 * Whether the connection of a request leaves HTTP. The server offers no other protocol, so this happens only after a
 * refused request.
 */
export function leavesHttp({ socket }: IncomingMessage): boolean {
  return isRefused(socket);
}

/**
 * The number of waiting requests that may begin in one turn of the event loop. New connections and data are handled
 * between turns.
 */
const BEGUN_PER_TURN = 64;

export interface RequestHandlers {
  /** Serves the request. */
  serve(request: IncomingMessage, response: ServerResponse): void;
  /** Tells the client that the server is overloaded, and ends the connection. The request has had no effect. */
  refuse(request: IncomingMessage, response: ServerResponse): void;
  /** Whether several requests of the connection may be served at the same time. */
  mayPipeline(connection: Socket): boolean;
}

/** On a response: its request is being served. */
export const isServed = Symbol('is served');

type Served = ServerResponse & { [isServed]?: boolean };

/**
 * Limits the number of requests in flight.
 *
 * A client may send many requests at once on one connection (pipelining, RFC 9112, section 9.3.2), and Node starts all
 * requests of one read. Here a few requests of a connection are served at the same time. The others wait in their
 * order, and nothing more is read from the connection meanwhile. Connections take turns, so that a connection with many
 * requests does not delay the others.
 *
 * If too many requests are served or wait in total, the connection of the next request gets a refusal and is closed.
 */
export class RequestAdmission {
  private served = 0;
  private waiting = 0;
  /** The connections that have a waiting request, in the order of their turns. */
  private readonly ready = new Set<Pipeline>();
  private isTurnDue = false;

  constructor(
    private readonly requestTracker: RequestTracker,
    private readonly limits: ServerLimits,
    private readonly handlers: RequestHandlers,
  ) {
    requestTracker.watch((response) => {
      if ((response as Served)[isServed] === true) this.release(response);
    });
  }

  /** Must be called with every request that arrives. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const { requests } = this.limits;
    const line = pipelineOf(request.socket);
    if (line.refusal !== undefined) return;
    this.requestTracker.begin(response);
    // Most connections send one request at a time. Such a request does not wait for a turn.
    const isOnly = line.served.length === 0 && line.waiting.length === 0;
    if ((isOnly ? this.served : this.waiting) >= requests) this.refuse(line, request, response);
    else if (isOnly) this.begin(line, request, response);
    else this.hold(line, request, response);
  }

  private begin(line: Pipeline, request: IncomingMessage, response: Served): void {
    response[isServed] = true;
    line.served.push(response);
    this.served += 1;
    this.handlers.serve(request, response);
  }

  private release(response: ServerResponse): void {
    const line = pipelineOf(response.req.socket);
    remove(line.served, response);
    this.served -= 1;
    if (line.waiting.length > 0) this.ready.add(line);
    if (this.ready.size > 0) this.scheduleTurn();
  }

  private hold(line: Pipeline, request: IncomingMessage, response: ServerResponse): void {
    if (line.waiting.push([request, response]) === 1) this.stopReading(line);
    line.counted += 1;
    this.waiting += 1;
    this.ready.add(line);
    this.scheduleTurn();
  }

  private stopReading(line: Pipeline): void {
    const { socket } = line;
    socket.pause();
    if (line.isWatched) return;
    line.isWatched = true;
    // Code that reads or drops a body resumes the socket.
    socket.on('resume', () => {
      if (line.waiting.length > 0 || line.refusal !== undefined) socket.pause();
    });
    socket.once('close', () => {
      this.drop(line);
      this.waiting -= line.counted;
      line.counted = 0;
      // Node emits `close` for the response that is being sent. For later responses it does so only if it has parsed to
      // the end.
      for (const response of [...line.served]) this.requestTracker.end(response);
      if (line.refusal !== undefined) this.requestTracker.end(line.refusal);
    });
  }

  /** Removes the waiting requests of a connection that is closed or refused: they will never begin. */
  private drop(line: Pipeline): Arrival[] {
    this.ready.delete(line);
    return line.waiting.splice(0);
  }

  private refuse(line: Pipeline, request: IncomingMessage, response: ServerResponse): void {
    // Responses are sent in the order of the requests: only the oldest request that has not begun gets the refusal.
    const arrivals = [...this.drop(line), [request, response] as const];
    const [first, refusal] = arrivals[0] ?? [request, response];
    for (const [, other] of arrivals.slice(1)) this.requestTracker.forget(other, refusal);
    line.refusal = refusal;
    this.stopReading(line);
    this.handlers.refuse(first, refusal);
  }

  private scheduleTurn(): void {
    if (this.isTurnDue) return;
    this.isTurnDue = true;
    setImmediate(() => {
      this.isTurnDue = false;
      this.takeTurns();
    });
  }

  private takeTurns(): void {
    let left = BEGUN_PER_TURN;
    for (const line of this.ready) {
      if (left === 0 || this.served >= this.limits.requests) break;
      this.ready.delete(line);
      if (!this.mayBegin(line)) continue;
      left -= 1;
      this.beginNext(line);
      // The connection goes to the end of the line.
      if (this.mayBegin(line)) this.ready.add(line);
    }
    if (this.ready.size > 0 && this.served < this.limits.requests) this.scheduleTurn();
  }

  /**
   * A client without a valid API key has one request served at a time, so that such clients, who need not read their
   * responses, cannot take the whole capacity. If a client with a key does not read its responses, no further request
   * of it begins.
   */
  private mayBegin({ waiting, served, socket }: Pipeline): boolean {
    if (waiting.length === 0) return false;
    if (served.length === 0) return true;
    return (
      served.length < this.limits.requestsPerConnection &&
      this.handlers.mayPipeline(socket) &&
      !socket.writableNeedDrain
    );
  }

  private beginNext(line: Pipeline): void {
    const next = line.waiting.shift();
    if (next === undefined) return;
    line.counted -= 1;
    this.waiting -= 1;
    if (line.waiting.length === 0) line.socket.resume();
    this.begin(line, ...next);
  }
}

/** Removes one element. The order of the others does not matter. */
function remove(responses: ServerResponse[], response: ServerResponse): void {
  const index = responses.indexOf(response);
  const last = responses.pop();
  if (last !== undefined && last !== response) responses[index] = last;
}
