import { callerOf, refusedApiKeyOf } from '@animal-store/auth';
import type { Logger } from 'pino';
import type { Environment } from '../environment.js';
import { deprecationOf, contextOf, errorCodeSentWith, type CompletionListener, targetOf } from '@animal-store/http';
import { clientAddress, loggedPath } from './logged-request.js';

/** Supervisors and load balancers send these every few seconds. `Readiness` logs why the service is not ready. */
const HEALTH_CHECKS = new Set(['/health/live', '/health/ready']);

/** Writes one line when a response is sent: the caller, its address, the request, the result and the time. */
export function requestLog(logger: Logger, { TRUST_PROXY }: Pick<Environment, 'TRUST_PROXY'>): CompletionListener {
  const trustsProxy = TRUST_PROXY !== undefined;
  return (response, ms) => {
    if (!logger.isLevelEnabled('info')) return;
    const { req: request } = response;
    const target = targetOf(request);
    const level = HEALTH_CHECKS.has(target) ? 'debug' : 'info';
    const refused = refusedApiKeyOf(request);
    const code = errorCodeSentWith(response);
    logger[level](
      {
        ...contextOf(request),
        method: request.method,
        path: loggedPath(target),
        // Without a response, the status would be Node's default: 200.
        status: response.headersSent || code !== undefined ? response.statusCode : undefined,
        code,
        durationMs: Math.round(ms * 1000) / 1000,
        remoteAddress: clientAddress(request, trustsProxy),
        key: callerOf(request)?.keyName ?? refused?.keyName,
        refused: refused?.reason,
        ...(deprecationOf(request) !== undefined && { deprecated: true }),
        ...(!response.writableFinished && { aborted: true }),
      },
      'request',
    );
  };
}
