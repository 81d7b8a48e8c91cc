import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { Request } from 'express';
import type { RouteTable } from './route-table.js';

/** What a page may read of an answer beside its body. */
const EXPOSED_HEADERS = [
  'Allow',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
];

/** For how long a browser may remember a preflight, in seconds. */
const MAX_AGE = 600;

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/**
 * The options of CORS with what follows from the routes. Preflights are answered without a key, as browsers send none, and
 * so they tell the methods that are served anywhere: those of one address would tell a stranger that it exists. An `OPTIONS`
 * that is no preflight goes on to the guard.
 */
export function withRoutes(
  routes: RouteTable,
  options: CorsOptions | CorsOptionsDelegate<Request> = {},
): CorsOptionsDelegate<Request> {
  const ofRequest: CorsOptionsDelegate<Request> =
    typeof options === 'function'
      ? options
      : (_request, decide) => {
          decide(null, options);
        };
  return (request, decide) => {
    ofRequest(request, (error, own) => {
      decide(error, {
        methods: routes.methods.filter((method) => method !== 'OPTIONS'),
        exposedHeaders: EXPOSED_HEADERS,
        maxAge: MAX_AGE,
        ...own,
        preflightContinue: own.preflightContinue === true || !isPreflight(request),
      });
    });
  };
}
