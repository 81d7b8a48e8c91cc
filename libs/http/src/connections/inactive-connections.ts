import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestTracker } from './request-tracker.js';

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

/** The bytes that were sent and received on a connection, and the time since which the number has not changed. */
interface Movement {
  readonly bytes: number;
  readonly since: number;
}

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
  server.keepAliveTimeout = 0;
  server.timeout = 0;
  const movements = new WeakMap<Socket, Movement>();
  const check = setInterval(() => {
    const now = performance.now();
    for (const socket of requestTracker.connections()) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      const before = movements.get(socket);
      if (before?.bytes !== bytes) movements.set(socket, { bytes, since: now });
      else if (now - before.since >= afterMs) socket.destroy();
    }
  }, checkMs);
  check.unref();
  server.once('close', () => {
    clearInterval(check);
  });
}
