import type { CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, RequestHandler } from 'express';
import { requestIdOf } from '../requests/request-context.js';
import { SECURITY_HEADERS } from '../answers/security-headers.js';

/** Lets web pages of these origins call the API. Their preflights are answered without a key, as browsers send none. */
export function enableCors(app: NestExpressApplication, origins: readonly string[]): void {
  app.use(preflightHeaders);
  app.enableCors(corsOptions(origins));
}

/** Preflights are answered by the CORS middleware, past everything that gives answers their standing header fields. */
const preflightHeaders: RequestHandler = (request, response, next) => {
  if (isPreflight(request)) response.set({ ...SECURITY_HEADERS, 'X-Request-Id': requestIdOf(request) });
  next();
};

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/** An `OPTIONS` that is no preflight goes on to the guard. */
function corsOptions(origin: readonly string[]): CorsOptionsDelegate<Request> {
  const options = {
    origin: [...origin],
    methods: ['GET', 'HEAD', 'POST'],
    exposedHeaders: [
      'Deprecation',
      'ETag',
      'Idempotent-Replayed',
      'Link',
      'Location',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Sunset',
      'X-Request-Id',
    ],
    maxAge: 600,
  };
  return (request, decide) => {
    decide(null, { ...options, preflightContinue: !isPreflight(request) });
  };
}
