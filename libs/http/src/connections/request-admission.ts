import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestTracker } from './request-tracker.js';
import type { ServerLimits } from './connection-limits.js';

export interface RequestHandlers {
  /** Serves the request. */
  serve(request: IncomingMessage, response: ServerResponse): void;
  /** Tells the client that the server is overloaded, and ends the connection. The request has had no effect. */
  refuse(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Serves one request of a connection at a time. The next one begins when the response before it has been handed to the
 * kernel whole, so that a connection never holds more than one response in memory. Until then nothing more is read from
 * the connection than one read brings.
 *
 * A client may send many requests at once (pipelining, RFC 9112, section 9.3.2), and Node starts all requests of one
 * read. If too many wait, on all connections together, the connection of the next one gets a refusal and is closed.
 */
export class RequestAdmission {
  private waiting = 0;

  constructor(
    private readonly requestTracker: RequestTracker,
    private readonly limits: Pick<ServerLimits, 'waitingRequests'>,
    private readonly handlers: RequestHandlers,
  ) {
    requestTracker.observe(({ response }) => {
      this.release(response);
    });
  }

  /** The listener of the server for requests: must be called with every request that arrives. */
  readonly take = (request: IncomingMessage, response: ServerResponse): void => {
    const line = pipelineOf(request.socket);
    if (line.refusal !== undefined) return;
    this.requestTracker.begin(response);
    if (line.current === undefined) this.begin(line, request, response);
    else if (this.waiting < this.limits.waitingRequests) this.hold(line, request, response);
    else this.refuse(line, request, response);
  };

  private begin(line: Pipeline, request: IncomingMessage, response: Served): void {
    line.current = response;
    response[pipeline] = line;
    this.handlers.serve(request, response);
  }

  private release(response: Served): void {
    const line = response[pipeline];
    if (line?.current !== response) return;
    if (line.waiting.length === 0) {
      line.current = undefined;
      return;
    }
    // In a later turn of the event loop, so that a connection with many requests does not delay the others.
    setImmediate(() => {
      this.beginNext(line);
    });
  }

  private beginNext(line: Pipeline): void {
    // The connection ended with the response before, whatever the client sent behind its request.
    if (line.socket.writableEnded) this.dropAll(line);
    const next = line.waiting.shift();
    if (next === undefined) {
      line.current = undefined;
      return;
    }
    line.counted -= 1;
    this.waiting -= 1;
    if (line.waiting.length === 0) line.socket.resume();
    this.begin(line, ...next);
  }

  private hold(line: Pipeline, request: IncomingMessage, response: ServerResponse): void {
    line.waiting.push([request, response]);
    line.counted += 1;
    this.waiting += 1;
    this.stopReading(line);
  }

  private stopReading(line: Pipeline): void {
    const { socket } = line;
    socket.pause();
    if (line.isWatched) return;
    line.isWatched = true;
    // Code that reads or drops a body resumes the socket.
    socket.on('resume', () => {
      if (!socket.writableEnded && (line.waiting.length > 0 || line.refusal !== undefined)) socket.pause();
    });
    socket.once('close', () => {
      this.dropAll(line);
      // Node emits `close` for the response that is being sent, and not always for later ones.
      for (const response of [line.current, line.refusal])
        if (response !== undefined) this.requestTracker.end(response);
    });
  }

  /** The requests that wait will never begin, because the connection is closed or ends with the response before them. */
  private dropAll(line: Pipeline): void {
    for (const [, response] of line.waiting.splice(0)) this.requestTracker.end(response);
    this.waiting -= line.counted;
    line.counted = 0;
  }

  private refuse(line: Pipeline, request: IncomingMessage, response: ServerResponse): void {
    // Responses are sent in the order of the requests: only the oldest request that has not begun gets the refusal.
    const arrivals = [...line.waiting.splice(0), [request, response] as const];
    const [first, refusal] = arrivals[0] ?? [request, response];
    for (const [, other] of arrivals.slice(1)) this.requestTracker.forget(other, refusal);
    line.refusal = refusal;
    this.stopReading(line);
    this.handlers.refuse(first, refusal);
  }
}

type Arrival = readonly [request: IncomingMessage, response: ServerResponse];

/** The requests of one connection. */
interface Pipeline {
  readonly socket: Socket;
  /** The response to the request that is being served, until it has been handed to the kernel whole. */
  current: ServerResponse | undefined;
  /** The requests that have arrived meanwhile, the oldest first. */
  readonly waiting: Arrival[];
  /**
   * How many requests count as waiting: `waiting`, and on a refused connection also those that Node keeps in memory
   * until it is closed.
   */
  counted: number;
  /** Whether listeners keep the socket paused while requests wait. */
  isWatched: boolean;
  /** The response that refuses a request: it is the last response on the connection. */
  refusal: ServerResponse | undefined;
}

/** On a connection: its pipeline. On a response: the pipeline in which it is `current`. */
export const pipeline = Symbol('pipeline');

type Connection = Socket & { [pipeline]?: Pipeline };

/** What a response has under {@link pipeline}: `undefined` until its request is served. */
export type ServedPipeline = Pipeline | undefined;

type Served = ServerResponse & { [pipeline]?: ServedPipeline };

/** The pipeline of a connection, which is created with its first request. */
function pipelineOf(connection: Connection): Pipeline {
  const known = connection[pipeline];
  if (known !== undefined) return known;
  return (connection[pipeline] = {
    socket: connection,
    current: undefined,
    waiting: [],
    counted: 0,
    isWatched: false,
    refusal: undefined,
  });
}

/** Whether the connection ends with a response that is already decided: everything else that arrives on it is ignored. */
export function isRefused(socket: Socket): boolean {
  return (socket as Connection)[pipeline]?.refusal !== undefined;
}
