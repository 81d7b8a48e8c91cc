import type { IncomingMessage, ServerResponse } from 'node:http';
import { callerOf } from '@animal-store/auth';
import type { Logger } from 'pino';
import { contextOf } from '../http/request-context.js';
import { announcedFields } from '../http/write-answer.js';

/** When a request came, as `performance.now()` tells the time. */
const startedAt = Symbol('started at');

type Timed = ServerResponse & { [startedAt]?: number };

/**
 * Writes one line when the answer of a request is out: who asked for what, how it went, how long it took. The query is
 * left out: it may hold what a client would rather not see in a log.
 */
export function requestLog(logger: Logger): (request: IncomingMessage, response: Timed) => void {
  // One listener for every response: see RequestMetrics.
  function onClose(this: Timed): void {
    const request = this.req;
    logger.info(
      {
        ...contextOf(request),
        method: request.method,
        path: targetOf(request).split('?', 1)[0],
        status: this.statusCode,
        durationMs: Math.round((performance.now() - (this[startedAt] ?? 0)) * 1000) / 1000,
        key: callerOf(request)?.keyName,
        ...(announcedFields(request)?.includes('Deprecation') && { deprecated: true }),
        ...(!this.writableFinished && { aborted: true }),
      },
      'request',
    );
  }

  return (_request, response) => {
    if (!logger.isLevelEnabled('info')) return;
    response[startedAt] = performance.now();
    response.on('close', onClose);
  };
}

/** As it came: Express changes `url` on the way through the routes. What never got there has no `originalUrl`. */
function targetOf({ originalUrl, url = '' }: IncomingMessage & { readonly originalUrl?: string }): string {
  return originalUrl ?? url;
}
