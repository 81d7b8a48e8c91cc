import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Request } from 'express';
import { callerOf, hideApiKeys, refusedApiKeyOf } from '@animal-store/auth';
import type { RequestObserver } from '@animal-store/http';
import type { Logger } from 'pino';

/** Load balancers send these every few seconds. `Readiness` logs why the service is not ready. */
const HEALTH_CHECKS = new Set(['/health/live', '/health/ready']);

/** Writes one line when a request is over. */
export function requestLog(logger: Logger, bootstrapKey: string | undefined): RequestObserver {
  return ({ request, response, state, ms, isAborted }) => {
    if (!logger.isLevelEnabled('info')) return;
    const { requestId, errorCode, deprecation } = state;
    // Express changes `url` on the way to the route. A request that never reached it has no `originalUrl`.
    const { originalUrl = request.url ?? '' } = request as Partial<Request>;
    const path = loggedPath(originalUrl, bootstrapKey);
    const refused = refusedApiKeyOf(request);
    logger[HEALTH_CHECKS.has(path) ? 'debug' : 'info'](
      {
        requestId,
        method: request.method,
        path,
        // Without a response, the status would be Node's default: 200.
        status: response.headersSent || errorCode !== undefined ? response.statusCode : undefined,
        code: errorCode,
        durationMs: Math.round(ms * 1000) / 1000,
        remoteAddress: addressOf(request as Request),
        key: callerOf(request)?.keyName ?? refused?.keyName,
        refused: refused?.reason,
        ...(deprecation !== undefined && { deprecated: true }),
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

/** The number of characters of a path in the log: no address of this service is longer. */
const MAX_LENGTH = 256;

/** The path of a request's target, shortened, without keys, and without the query, which may hold private data. */
function loggedPath(target: string, bootstrapKey?: string): string {
  // Before the query is cut off: the bootstrap key may contain a question mark.
  const [path = ''] = hideApiKeys(target, bootstrapKey).split('?', 1);
  return path.length > MAX_LENGTH ? `${path.slice(0, MAX_LENGTH)}…` : path;
}

/** Keeps the address of a connection after its end: Node stores it with the first call. */
export function keepClientAddresses(server: Server): void {
  server.on('connection', ({ remoteAddress }: Socket) => remoteAddress);
}
