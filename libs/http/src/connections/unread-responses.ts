import type { Server } from 'node:http';
import { checkRegularly } from './regular-check.js';
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
