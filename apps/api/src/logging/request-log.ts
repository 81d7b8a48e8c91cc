import type { IncomingMessage, Server } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { callerOf, hideApiKeys, refusedApiKeyOf } from '@animal-store/auth';
import type { RequestObserver } from '@animal-store/http';
import type { Logger } from 'pino';
import type { Environment } from '../settings/environment.js';

/** Supervisors and load balancers send these every few seconds. `Readiness` logs why the service is not ready. */
const HEALTH_CHECKS = new Set(['/health/live', '/health/ready']);

/** Writes one line when a response is sent: the caller, its address, the request, the result and the time. */
export function requestLog(
  logger: Logger,
  { BOOTSTRAP_API_KEY, TRUST_PROXY }: Pick<Environment, 'BOOTSTRAP_API_KEY' | 'TRUST_PROXY'>,
): RequestObserver {
  const trustsProxy = TRUST_PROXY !== undefined;
  return (finished) => {
    if (!logger.isLevelEnabled('info')) return;
    const { request, response, context, target, ms, isAborted, errorCode, isDeprecated } = finished;
    const path = loggedPath(target, BOOTSTRAP_API_KEY);
    const level = HEALTH_CHECKS.has(path) ? 'debug' : 'info';
    const refused = refusedApiKeyOf(request);
    logger[level](
      {
        ...context,
        method: request.method,
        path,
        // Without a response, the status would be Node's default: 200.
        status: response.headersSent || errorCode !== undefined ? response.statusCode : undefined,
        code: errorCode,
        durationMs: Math.round(ms * 1000) / 1000,
        remoteAddress: clientAddress(request, trustsProxy),
        key: callerOf(request)?.keyName ?? refused?.keyName,
        refused: refused?.reason,
        ...(isDeprecated && { deprecated: true }),
        ...(isAborted && { aborted: true }),
      },
      'request',
    );
  };
}

/** The number of characters of a path in the log: no address of this service is longer. */
const MAX_LENGTH = 256;

/** An IPv4 address in the form of a socket for both families (RFC 4291, section 2.5.5.2). */
const MAPPED_IPV4 = '::ffff:';

/**
 * The part of a request's target that the log contains: its path, shortened and without keys. The query is left out, because it
 * may contain private data of the client.
 *
 * @param bootstrapKey a key that is hidden beside those that have the form of one
 */
export function loggedPath(target: string, bootstrapKey?: string): string {
  // Before the query is cut off: the bootstrap key may contain a question mark.
  const [path = ''] = hideApiKeys(target, bootstrapKey).split('?', 1);
  return path.length > MAX_LENGTH ? `${path.slice(0, MAX_LENGTH)}…` : path;
}

/**
 * The address of the client. With `TRUST_PROXY` it is the last address that no trusted proxy added, as Express computes
 * it; otherwise the address of the connection. With a correct setting, a client cannot choose it with
 * `X-Forwarded-For`.
 */
function clientAddress(request: IncomingMessage, trustsProxy: boolean): string | undefined {
  const { remoteAddress } = request.socket;
  const forwarded = trustsProxy ? (request as { readonly ip?: string }).ip : undefined;
  // With a number of hops, Express accepts any text as an address.
  const address = forwarded !== undefined && isIP(forwarded) > 0 ? forwarded : remoteAddress;
  return address?.startsWith(MAPPED_IPV4) === true ? address.slice(MAPPED_IPV4.length) : address;
}

/** Keeps the address of a connection after its end: Node stores it with the first call. */
export function keepClientAddresses(server: Server): void {
  server.on('connection', ({ remoteAddress }: Socket) => remoteAddress);
}
