import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { INACTIVITY, type InactivityLimits } from './inactivity-limits.js';
import { checkRegularly } from './regular-check.js';
import type { RequestTracker } from './request-tracker.js';

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
