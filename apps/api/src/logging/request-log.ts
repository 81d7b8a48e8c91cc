import { callerOf } from '@animal-store/auth';
import type { Logger } from 'pino';
import type { Environment } from '../environment.js';
import { routeHeadersOf, contextOf, errorCodeSentWith, type CompletionListener, targetOf } from '@animal-store/http';
import { clientAddress, loggedPath } from './logged-request.js';

/** Writes one line when a response is sent: the caller, its address, the request, the result and the time. */
export function requestLog(logger: Logger, { TRUST_PROXY }: Pick<Environment, 'TRUST_PROXY'>): CompletionListener {
  const trustsProxy = TRUST_PROXY !== undefined;
  return (response, ms) => {
    if (!logger.isLevelEnabled('info')) return;
    const { req: request } = response;
    logger.info(
      {
        ...contextOf(request),
        method: request.method,
        path: loggedPath(targetOf(request)),
        status: response.statusCode,
        code: errorCodeSentWith(response),
        durationMs: Math.round(ms * 1000) / 1000,
        remoteAddress: clientAddress(request, trustsProxy),
        key: callerOf(request)?.keyName,
        ...(routeHeadersOf(request) !== undefined && { deprecated: true }),
        ...(!response.writableFinished && { aborted: true }),
      },
      'request',
    );
  };
}
