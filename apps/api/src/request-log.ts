import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Request } from 'express';
import { callerOf, hideApiKeys } from '@animal-store/auth';
import type { RequestObserver } from '@animal-store/http';
import type { Logger } from 'pino';

/** Load balancers send these every few seconds. `Readiness` logs why the service is not ready. */
const HEALTH_CHECKS = new Set(['/health/live', '/health/ready']);

/** Writes one line when a request is over: at `warn` if the service failed it. */
export function requestLog(logger: Logger, bootstrapKey: string | undefined): RequestObserver {
  return ({ request, response, state, ms, isAborted }) => {
    const { requestId, errorCode, reason } = state;
    const isFailure = response.statusCode >= 500;
    if (!logger.isLevelEnabled(isFailure ? 'warn' : 'info')) return;
    // Express changes `url` on the way to the route. A request that never reached it has no `originalUrl`.
    const { originalUrl = request.url ?? '' } = request as Partial<Request>;
    // The query may hold private data.
    const path = logged(originalUrl, '?', bootstrapKey);
    logger[HEALTH_CHECKS.has(path) ? 'debug' : isFailure ? 'warn' : 'info'](
      {
        requestId,
        method: request.method,
        path,
        // Without a response, the status would be Node's default: 200.
        status: response.headersSent || errorCode !== undefined ? response.statusCode : undefined,
        code: errorCode,
        // PostgreSQL's errors have the values of the row in their further lines.
        reason: reason && logged(reason, '\n', bootstrapKey),
        durationMs: Math.round(ms * 1000) / 1000,
        remoteAddress: addressOf(request as Request),
        key: callerOf(request)?.keyName,
        ...(isAborted && { aborted: true }),
      },
      'request',
    );
  };
}

/** As Express computes it with TRUST_PROXY; an IPv4 address without the prefix of a socket for both families. */
function addressOf(request: Request): string | undefined {
  // A handler that destroys its request takes the connection from it, and with it the address.
  const socket = request.socket as Socket | null;
  return socket === null ? undefined : request.ip?.replace(/^::ffff:/, '');
}

/** The number of characters of a text in the log: no address of this service is longer. */
const MAX_LENGTH = 256;

/** A text up to `end`, without keys, and shortened. */
function logged(text: string, end: string, bootstrapKey?: string): string {
  // Keys are hidden first: the bootstrap key may contain a question mark.
  const [shown = ''] = hideApiKeys(text, bootstrapKey).split(end, 1);
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown;
}

/** Keeps the address of a connection after its end: Node stores it with the first call. */
export function keepClientAddresses(server: Server): void {
  server.on('connection', ({ remoteAddress }: Socket) => remoteAddress);
}
