import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestTracker } from './request-tracker.js';

export interface InactivityLimits {
  /** How long nothing may move on a connection, in milliseconds. */
  readonly afterMs: number;
  /** How often the connections are looked at, in milliseconds: this much later they may be closed. */
  readonly checkMs: number;
}

/**
 * Above the 60 s after which balancers drop an idle connection, so that they never send on one that just closed here; and
 * longer than any answer takes to begin.
 */
export const INACTIVITY: InactivityLimits = { afterMs: 65_000, checkMs: 2_500 };

/** What had moved on a connection, in bytes, and since when it is so much. */
interface Movement {
  readonly bytes: number;
  readonly since: number;
}

/**
 * Closes the connections on which nothing moves: idle ones, and those of clients that do not read their answers.
 *
 * It looks at all of them from time to time. The timeouts of Node's server (`keepAliveTimeout`, `timeout`) do so by a timer
 * for each connection that is set anew with every request: a twentieth of a request on hundreds of connections.
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
