import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestTracker } from './request-tracker.js';

const CHECK_MS = 100;

/**
 * Bounds what clients were sent and have not read, over all connections: where it is more, the connections on which most is
 * unread are closed. A client that never reads would make the service keep its answers for as long as it stays.
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
