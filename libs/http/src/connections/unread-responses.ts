import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestTracker } from './request-tracker.js';

const CHECK_MS = 100;

/**
 * Limits the bytes of responses that clients have not read, over all connections. Beyond the limit, the connections
 * with the most unread bytes are closed. Otherwise a client that never reads would keep its responses in the service's
 * memory as long as it stays connected.
 *
 * @param limit in bytes
 */
export function limitUnreadResponses(
  server: Server,
  requestTracker: RequestTracker,
  limit: number,
  checkMs = CHECK_MS,
): void {
  const check = setInterval(() => {
    const unread: Socket[] = [];
    let bytes = 0;
    for (const socket of requestTracker.connections()) {
      if (socket.writableLength === 0 || socket.destroyed) continue;
      unread.push(socket);
      bytes += socket.writableLength;
    }
    if (bytes <= limit) return;
    unread.sort((one, other) => other.writableLength - one.writableLength);
    for (const socket of unread) {
      if (bytes <= limit) return;
      bytes -= socket.writableLength;
      socket.destroy();
    }
  }, checkMs);
  check.unref();
  server.once('close', () => {
    clearInterval(check);
  });
}
