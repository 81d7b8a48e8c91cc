import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { Request } from 'express';
import { NO_FIELDS, type HeaderFields } from '../responses/http-response.js';
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
 * The CORS options, completed with the methods of the routes. Browsers send preflights without a key, so they are
 * answered without one. They list the methods of all addresses together: the methods of one address would tell a
 * stranger that it exists. An `OPTIONS` request that is not a preflight goes to the guard.
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

/**
 * The CORS header fields of a response that is written without Express: to a request that Node's parser refused, or
 * that came while the server was overloaded. Without them a page could not read the response, and would see a network
 * error.
 *
 * @param origin the origin of the page, if the request says it; otherwise the allowed origin, if there is exactly one
 */
export function corsFields({ origin: allowed, ...options }: CorsOptions, origin: string | undefined): HeaderFields {
  const [only, ...others] = Array.isArray(allowed) ? allowed : [];
  const pageOrigin = origin ?? (typeof only === 'string' && others.length === 0 ? only : undefined);
  const named = allowed === undefined || allowed === '*' ? '*' : pageOrigin;
  if (named === undefined || !isAllowed(named, allowed)) return NO_FIELDS;
  return [
    ...['Access-Control-Allow-Origin', named],
    ...(named === '*' ? [] : ['Vary', 'Origin']),
    ...(options.credentials === true ? ['Access-Control-Allow-Credentials', 'true'] : []),
    ...['Access-Control-Expose-Headers', [options.exposedHeaders ?? EXPOSED_HEADERS].flat().join(',')],
  ];
}

/** A function decides by the request, and here there is no request. */
function isAllowed(origin: string, allowed: CorsOptions['origin']): boolean {
  if (allowed === undefined || typeof allowed === 'boolean') return allowed !== false;
  if (typeof allowed === 'function') return false;
  return [allowed].flat().some((one) => (one instanceof RegExp ? one.test(origin) : one === origin));
}
