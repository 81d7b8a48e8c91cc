import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isIdle, type RequestTracker } from './request-tracker.js';

/**
 * Limits the number of open connections. A new connection beyond the limit replaces the connection that has been idle
 * for the longest time, so that a client with many unused connections locks no other client out. If no connection is
 * idle, the new one is closed.
 */
export function limitConnections(server: Server, requestTracker: RequestTracker, limit: number): void {
  /**
   * Idle connections in the order in which they are closed, the next one last. The search is slow, so one search serves
   * many new connections.
   */
  let idle: Socket[] = [];
  const nextToGo = (): Socket | undefined => {
    if (idle.length === 0) idle = requestTracker.idleConnections().reverse();
    for (let socket = idle.pop(); socket !== undefined; socket = idle.pop()) if (isIdle(socket)) return socket;
    return undefined;
  };
  server.on('connection', (socket: Socket) => {
    if (requestTracker.openConnections > limit) (nextToGo() ?? socket).destroy();
  });
}
