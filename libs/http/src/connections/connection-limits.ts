import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isIdle, type RequestTracker } from './request-tracker.js';

/** The limits of one server. docs/operations.md has a table of what happens at each limit. */
export interface ServerLimits {
  /** Open connections. A further connection replaces an idle one. One request of each is served at a time. */
  readonly connections: number;
  /** Requests that have arrived on connections that still wait for an earlier response. */
  readonly waitingRequests: number;
  /** Bytes of responses that clients have not read, on all connections. Beyond the limit some connections are closed. */
  readonly unreadBytes: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  connections: 2_048,
  waitingRequests: 4_096,
  unreadBytes: 64 * 1024 ** 2,
};

/**
 * Limits the number of open connections. A new connection beyond the limit replaces an idle one, so that a client with
 * many unused connections locks no other client out: first one that never sent a valid key, then the one that has been
 * idle for the longest time. If no connection is idle, the new one is closed.
 */
export function limitConnections(server: Server, requestTracker: RequestTracker, limit: number): void {
  /**
   * Idle connections in the order in which they are closed, the next one last. The search is slow, so one search serves
   * many new connections.
   */
  let idle: Socket[] = [];
  const nextFound = (): Socket | undefined => {
    for (let socket = idle.pop(); socket !== undefined; socket = idle.pop()) if (isIdle(socket)) return socket;
    return undefined;
  };
  const nextToGo = (): Socket | undefined => {
    const found = nextFound();
    if (found !== undefined) return found;
    // All that the last search found are gone or in use: others may have become idle since.
    idle = requestTracker.idleConnections().reverse();
    return nextFound();
  };
  server.on('connection', (socket: Socket) => {
    if (requestTracker.openConnections > limit) (nextToGo() ?? socket).destroy();
  });
}

/** The interval of the check for unread responses, in milliseconds. */
const UNREAD_CHECK_MS = 100;

/**
 * Limits the bytes of responses that clients have not read, over all connections. Beyond the limit, the connections
 * with the most unread bytes are closed. Otherwise a client that never reads would keep its response in the service's
 * memory as long as it stays connected.
 *
 * @param limit in bytes
 */
export function limitUnreadResponses(
  server: Server,
  requestTracker: RequestTracker,
  limit: number,
  checkMs = UNREAD_CHECK_MS,
): void {
  checkRegularly(server, checkMs, () => {
    const unread = [...requestTracker.connections()].filter((socket) => socket.writableLength > 0 && !socket.destroyed);
    let bytes = unread.reduce((sum, socket) => sum + socket.writableLength, 0);
    if (bytes <= limit) return;
    for (const socket of unread.sort((one, other) => other.writableLength - one.writableLength)) {
      if (bytes <= limit) return;
      bytes -= socket.writableLength;
      socket.destroy();
    }
  });
}

export interface InactivityLimits {
  /** The time without any traffic after which a connection is closed, in milliseconds. */
  readonly afterMs: number;
  /** The interval between two checks, in milliseconds: a connection may be closed this much later. */
  readonly checkMs: number;
}

/**
 * More than the 60 s after which load balancers drop an idle connection, so that they never send on a connection that
 * was just closed here; and longer than any response takes to begin.
 */
export const INACTIVITY: InactivityLimits = { afterMs: 65_000, checkMs: 2_500 };

/**
 * Closes the connections without traffic: idle ones, and those of clients that do not read their responses.
 *
 * All connections are checked at intervals. The timeouts of Node's server (`keepAliveTimeout`, `timeout`) use one timer
 * per connection and set it again with every request: a twentieth of the cost of a request on hundreds of connections.
 */
export function closeInactiveConnections(
  server: Server,
  requestTracker: RequestTracker,
  { afterMs, checkMs }: InactivityLimits = INACTIVITY,
): void {
  server.keepAliveTimeout = server.timeout = 0;
  // The bytes that were sent and received on a connection, and the time since which the number has not changed.
  const movements = new WeakMap<Socket, { readonly bytes: number; readonly since: number }>();
  checkRegularly(server, checkMs, () => {
    const now = performance.now();
    for (const socket of requestTracker.connections()) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      const before = movements.get(socket);
      if (before?.bytes !== bytes) movements.set(socket, { bytes, since: now });
      else if (now - before.since >= afterMs) socket.destroy();
    }
  });
}

/** Calls `check` at intervals until the server closes. The process may end in spite of it. */
function checkRegularly(server: Server, everyMs: number, check: () => void): void {
  const timer = setInterval(check, everyMs);
  timer.unref();
  server.once('close', () => {
    clearInterval(timer);
  });
}
