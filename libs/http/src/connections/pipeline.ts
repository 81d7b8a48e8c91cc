import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type Arrival = readonly [request: IncomingMessage, response: ServerResponse];

/** The requests of one connection. */
export interface Pipeline {
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
export function pipelineOf(connection: Connection): Pipeline {
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
export function isRefused(socket: Socket): boolean {
  return (socket as Connection)[pipeline]?.refusal !== undefined;
}
