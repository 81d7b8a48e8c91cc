import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { Request } from 'express';
import type { ModuleHeaders } from '../responses/module-headers.js';
import type { RouteTable } from './route-table.js';

/** The header fields that a page may read besides the body. */
const EXPOSED_HEADERS = [
  'Accept-Encoding',
  'Accept-Post',
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

/** How long a browser may cache a preflight, in seconds. */
const MAX_AGE = 600;

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/**
 * The CORS options, completed with the methods of the routes and the header fields of responses. Browsers send
 * preflights without a key, so they are served without one. They list the methods of all addresses together: the
 * methods of one address would tell a stranger that it exists. An `OPTIONS` request that is not a preflight goes to
 * the guard.
 */
export function completeCorsOptions(
  options: CorsOptions | CorsOptionsDelegate<Request>,
  routes: RouteTable,
  moduleHeaders: ModuleHeaders,
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
        exposedHeaders: [...EXPOSED_HEADERS, ...moduleHeaders.keys()],
        maxAge: MAX_AGE,
        ...own,
        preflightContinue: own.preflightContinue === true || !isPreflight(request),
      });
    });
  };
}
