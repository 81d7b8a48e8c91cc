import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isIdle, type RequestTracker } from './request-tracker.js';

/**
 * Bounds the open connections: one more takes the place of the one that is idle for longest, so that who opens many and
 * asks nothing locks nobody out. Where none is idle it is closed itself.
 */
export function limitConnections(server: Server, requestTracker: RequestTracker, limit: number): void {
  /** The next to go are at the end. To look for them takes long, so they are looked for once for many. */
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
