import type { IncomingMessage } from 'node:http';
import { callerOf } from '@animal-store/auth';
import type { Logger } from 'pino';
import type { ExchangeWatcher } from '../http/exchanges.js';
import { contextOf } from '../http/request-context.js';
import { announcedFields } from '../http/write-answer.js';

/**
 * Writes one line when the answer of a request is out: who asked for what, how it went, how long it took. The query is
 * left out: it may hold what a client would rather not see in a log.
 */
export function requestLog(logger: Logger): ExchangeWatcher {
  return (response, ms) => {
    if (!logger.isLevelEnabled('info')) return;
    const { req: request } = response;
    logger.info(
      {
        ...contextOf(request),
        method: request.method,
        path: targetOf(request).split('?', 1)[0],
        status: response.statusCode,
        durationMs: Math.round(ms * 1000) / 1000,
        key: callerOf(request)?.keyName,
        ...(announcedFields(request)?.includes('Deprecation') && { deprecated: true }),
        ...(!response.writableFinished && { aborted: true }),
      },
      'request',
    );
  };
}

/** As it came: Express changes `url` on the way through the routes. What never got there has no `originalUrl`. */
function targetOf({ originalUrl, url = '' }: IncomingMessage & { readonly originalUrl?: string }): string {
  return originalUrl ?? url;
}
