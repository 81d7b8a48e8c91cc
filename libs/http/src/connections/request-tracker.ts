import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isAuthenticated } from '../requests/request-user.js';
import { ResponseBatch } from './response-batch.js';

/**
 * Told of every answer once it is over: out, or cut off because the client went away (`writableFinished` is false then).
 *
 * @param ms from the header of the request until then, in milliseconds
 */
export type CompletionListener = (response: ServerResponse, ms: number) => void;

/** On a response: when its request came, as `performance.now()` tells the time. */
export const startedAt = Symbol('started at');

/** The answer to the request that came last on a connection; none where nothing of that is left to do. */
const latest = Symbol('latest answer');

/** Since when nothing was asked on a connection, as `performance.now()` tells the time. */
const idleSince = Symbol('idle since');

/** Whether a request with a valid API key came on a connection. */
const isKnown = Symbol('is known');

/** On a response: the answers that go out together with this one. */
export const responseBatch = Symbol('ready answers');

type Begun = ServerResponse & { [startedAt]?: number | undefined; [responseBatch]?: ResponseBatch };
type Connection = Socket & { [latest]?: ServerResponse | undefined; [idleSince]?: number; [isKnown]?: boolean };

/**
 * The requests under way and the open connections that they come on. The one place that times a request: who logs or
 * measures is told when it is over.
 */
export class RequestTracker {
  private readonly open = new Set<Connection>();
  private readonly watchers: CompletionListener[] = [];
  private readonly onClose = this.closeListener();
  private readonly ready = new ResponseBatch();
  private unanswered = 0;

  /** How many requests came and are not answered yet. */
  get inFlight(): number {
    return this.unanswered;
  }

  get openConnections(): number {
    return this.open.size;
  }

  connections(): Iterable<Socket> {
    return this.open;
  }

  /** To be called once, before the server listens. */
  attach(server: Server): void {
    server.on('connection', (connection: Connection) => {
      connection[latest] = undefined;
      connection[idleSince] = performance.now();
      connection[isKnown] = false;
      this.open.add(connection);
      connection.once('close', () => this.open.delete(connection));
    });
  }

  watch(watcher: CompletionListener): void {
    this.watchers.push(watcher);
  }

  /** To be called with every request before anything is done for it. */
  begin(response: ServerResponse): void {
    this.unanswered += 1;
    (response as Begun)[startedAt] = performance.now();
    (response as Begun)[responseBatch] = this.ready;
    (response.req.socket as Connection)[latest] = response;
    response.on('close', this.onClose);
  }

  /** The answer to the latest request on a connection, while it is under way or the rest of the request is still to come. */
  latestOn(connection: Duplex): ServerResponse | undefined {
    return (connection as Connection)[latest];
  }

  /**
   * Takes back {@link begin} for a request that will not be answered: nobody is told of it. `last` is the answer that the
   * connection ends with.
   */
  forget(response: ServerResponse, last: ServerResponse): void {
    this.unanswered -= 1;
    (response as Begun)[startedAt] = undefined;
    (last.req.socket as Connection)[latest] = last;
  }

  /** Ends what {@link begin} began, where Node does not tell of it: the connection is gone. Safe to repeat. */
  end(response: ServerResponse): void {
    const begun = response as Begun;
    if (begun[startedAt] === undefined) return;
    const now = performance.now();
    const ms = now - begun[startedAt];
    begun[startedAt] = undefined;
    this.unanswered -= 1;
    const { req: request } = response;
    const connection: Connection = request.socket;
    // An idle connection would hold on to both until the next request.
    if (request.complete && connection[latest] === response) connection[latest] = undefined;
    connection[idleSince] = now;
    connection[isKnown] ||= isAuthenticated(request);
    for (const watcher of this.watchers) watcher(response, ms);
  }

  /** The latest answer on every connection on which one is not over. */
  unfinishedResponses(): ServerResponse[] {
    return Array.from(this.open, (connection) => connection[latest]).filter(
      (response): response is ServerResponse => response !== undefined && isUnfinished(response),
    );
  }

  /**
   * The connections on which nothing is under way: those that never brought a valid key first, and among these, as among the
   * others, the one first that is idle for longest.
   */
  idleConnections(): Socket[] {
    return Array.from(this.open).filter(isIdle).sort(byWorth);
  }

  /** Ends every connection, whatever is going on there. */
  destroyConnections(): void {
    for (const connection of this.open) connection.destroy();
  }

  /** One for every answer: one of its own for each would be two more objects for every request that waits. */
  private closeListener(): (this: Begun) => void {
    const end = (response: Begun) => {
      this.end(response);
    };
    return function () {
      end(this);
    };
  }
}

/** Ends an answer whose header is written, together with others of its application ({@link ResponseBatch}). */
export function endWithOthers(response: ServerResponse, body: string | undefined, encoding: BufferEncoding): void {
  const ready = (response as Begun)[responseBatch];
  if (ready === undefined) response.end(body, encoding);
  else ready.end(response, body, encoding);
}

function byWorth(one: Connection, other: Connection): number {
  return Number(one[isKnown]) - Number(other[isKnown]) || (one[idleSince] ?? 0) - (other[idleSince] ?? 0);
}

/** Whether a request with a valid API key was answered on the connection. */
export function isKnownConnection(connection: Socket): boolean {
  return (connection as Connection)[isKnown] === true;
}

/** Whether nothing is under way on the connection. */
export function isIdle(connection: Socket): boolean {
  const response = (connection as Connection)[latest];
  return !connection.destroyed && (response === undefined || !isUnfinished(response));
}

/** Whether the client still waits for the answer, or for the rest of it. */
export function isUnfinished(response: ServerResponse): boolean {
  return !response.writableFinished && !response.destroyed;
}
