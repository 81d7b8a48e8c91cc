import { callerOf } from '@animal-store/auth';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { contextOf, requestContext } from '../http/request-context.js';
import { announcedFields } from '../http/write-answer.js';

/**
 * Gives every request its context, and writes one line when its answer is out: who asked for what, how it went,
 * how long it took. The query is left out: it may hold what a client would rather not see in a log.
 */
export function requestLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const context = contextOf(request);
    if (logger.isLevelEnabled('info')) {
      const startedAt = performance.now();
      response.once('close', () => {
        logger.info(
          {
            ...context,
            method: request.method,
            path: request.originalUrl.split('?', 1)[0],
            status: response.statusCode,
            durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
            key: callerOf(request)?.keyName,
            ...(announcedFields(request)?.includes('Deprecation') && { deprecated: true }),
            ...(!response.writableFinished && { aborted: true }),
          },
          'request',
        );
      });
    }
    requestContext.run(context, next);
  };
}
