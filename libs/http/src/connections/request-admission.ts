import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RequestTracker } from './request-tracker.js';
import type { ServerLimits } from './server-limits.js';

/** How many requests that had to wait may begin in one turn of the event loop: what else came is looked at in between. */
const BEGUN_PER_TURN = 64;

export interface RequestHandlers {
  /** Serves the request. */
  serve(request: IncomingMessage, response: ServerResponse): void;
  /** Tells the client that the server is overloaded, and ends the connection. Nothing was done for the request. */
  refuse(request: IncomingMessage, response: ServerResponse): void;
  /** Whether more than one request of the connection may be served at a time. */
  mayPipeline(connection: Socket): boolean;
}

type Arrival = readonly [request: IncomingMessage, response: ServerResponse];

/** The requests of one connection. */
interface Pipeline {
  readonly socket: Socket;
  /** The answers to those that are being served. */
  readonly served: ServerResponse[];
  /** Those that came and have not begun, the oldest first. */
  readonly waiting: Arrival[];
  /** How many requests count as waiting: those, and on a refused connection what Node keeps of others until it is closed. */
  counted: number;
  /** Whether it is seen to that the socket stays paused while requests wait. */
  isWatched: boolean;
  /** The answer that refuses one: it is the last on the connection. */
  refusal: ServerResponse | undefined;
}

const pipeline = Symbol('pipeline');
/** On a response: its request is among those that are served. */
export const isServed = Symbol('is served');

const upgrade = Symbol('upgrade');

type Upgradable = IncomingMessage & { [upgrade]?: boolean };
type Connection = Socket & { [pipeline]?: Pipeline };
type Served = ServerResponse & { [isServed]?: boolean };

/** Whether the connection ends with an answer that was given before: what else arrives on it is for nobody. */
function isRefused(socket: Socket): boolean {
  return (socket as Connection)[pipeline]?.refusal !== undefined;
}

/**
 * Lets Node parse nothing behind a request that was refused: the thousands of requests that one read may have brought would
 * take memory until the connection is closed.
 *
 * Node asks each request whether the connection leaves HTTP with it (`upgrade`), and parses no further where it does. Were it
 * not to ask, they would be parsed and dropped.
 *
 * @param Request the class of the server's requests
 * @param server created with `shouldUpgradeCallback: leavesHttp`
 */
export function stopParsingBehindRefused(Request: typeof IncomingMessage, server: Server): void {
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
    // The refusal is on its way, and ends the connection; Node listens no more.
    socket.on('error', () => undefined);
  });
}

/** Whether the connection of a request leaves HTTP: no other protocol is offered, so only behind a refused request. */
export function leavesHttp({ socket }: IncomingMessage): boolean {
  return isRefused(socket);
}

/**
 * Bounds the requests under way.
 *
 * A client may send many requests at once on one connection (pipelining, RFC 9112, section 9.3.2), and Node starts all that
 * one read brought. Here a few of them are served at a time; the others wait, in their order, and nothing more is read from
 * the connection meanwhile. Connections take turns, so that one that floods waits behind the others.
 *
 * Where too many requests are served or wait in all, the connection that brought one more is told so and closed.
 */
export class RequestAdmission {
  private served = 0;
  private waiting = 0;
  /** Connections of which a waiting request may begin, in turn. */
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

  /** To be called with every request that arrives. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const { requests } = this.limits;
    const line = this.pipelineOf(request.socket);
    if (line.refusal !== undefined) return;
    this.requestTracker.begin(response);
    // Most connections bring one request at a time, which need not wait for a turn.
    const isOnly = line.served.length === 0 && line.waiting.length === 0;
    if ((isOnly ? this.served : this.waiting) >= requests) this.refuse(line, request, response);
    else if (isOnly) this.begin(line, request, response);
    else this.hold(line, request, response);
  }

  private pipelineOf(connection: Connection): Pipeline {
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

  private begin(line: Pipeline, request: IncomingMessage, response: Served): void {
    response[isServed] = true;
    line.served.push(response);
    this.served += 1;
    this.handlers.serve(request, response);
  }

  private release(response: ServerResponse): void {
    const line = this.pipelineOf(response.req.socket);
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
    // Whoever reads a body, or drops one, makes the socket flow again.
    socket.on('resume', () => {
      if (line.waiting.length > 0 || line.refusal !== undefined) socket.pause();
    });
    socket.once('close', () => {
      this.drop(line);
      this.waiting -= line.counted;
      line.counted = 0;
      // Node tells of the answer that is being sent, and of those behind it only where it has parsed to the end.
      for (const response of [...line.served]) this.requestTracker.end(response);
      if (line.refusal !== undefined) this.requestTracker.end(line.refusal);
    });
  }

  /** Those whose connection is gone, or is told to go, will never begin. */
  private drop(line: Pipeline): Arrival[] {
    this.ready.delete(line);
    return line.waiting.splice(0);
  }

  private refuse(line: Pipeline, request: IncomingMessage, response: ServerResponse): void {
    // Answers go out in the order of the requests: the oldest one that has not begun is told, and no other.
    const arrivals = [...this.drop(line), [request, response] as const];
    const [first, answer] = arrivals[0] ?? [request, response];
    for (const [, other] of arrivals.slice(1)) this.requestTracker.forget(other, answer);
    line.refusal = answer;
    this.stopReading(line);
    this.handlers.refuse(first, answer);
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
      // Behind all others.
      if (this.mayBegin(line)) this.ready.add(line);
    }
    if (this.ready.size > 0 && this.served < this.limits.requests) this.scheduleTurn();
  }

  /**
   * A stranger has one request served at a time: so strangers, who need not read their answers, cannot take all there are.
   * Answers that a key holder does not read are reason enough to begin no other.
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

/** Their order is nobody's concern. */
function remove(answers: ServerResponse[], answer: ServerResponse): void {
  const index = answers.indexOf(answer);
  const last = answers.pop();
  if (last !== undefined && last !== answer) answers[index] = last;
}
