import type { CorsOptions, CorsOptionsDelegate } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { Request } from 'express';
import { NO_FIELDS, type HeaderFields } from '../responses/http-response.js';
import type { RouteTable } from './route-table.js';

/** What a page may read of an answer beside its body. */
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

/**
 * The header fields of CORS for an answer that Express knows nothing of: to what its parser refused, or came in a moment of
 * too much. A page could not read it otherwise, and would take it for a failure of the network.
 *
 * @param origin that of the page, where the request told it; where it did not, a single one that is allowed is meant
 */
export function corsFields({ origin: allowed, ...options }: CorsOptions, origin: string | undefined): HeaderFields {
  const [only, ...others] = Array.isArray(allowed) ? allowed : [];
  const told = origin ?? (typeof only === 'string' && others.length === 0 ? only : undefined);
  const named = allowed === undefined || allowed === '*' ? '*' : told;
  if (named === undefined || !isAllowed(named, allowed)) return NO_FIELDS;
  return [
    ...['Access-Control-Allow-Origin', named],
    ...(named === '*' ? [] : ['Vary', 'Origin']),
    ...(options.credentials === true ? ['Access-Control-Allow-Credentials', 'true'] : []),
    ...['Access-Control-Expose-Headers', [options.exposedHeaders ?? EXPOSED_HEADERS].flat().join(',')],
  ];
}

/** A function decides about requests, and here is none. */
function isAllowed(origin: string, allowed: CorsOptions['origin']): boolean {
  if (allowed === undefined || typeof allowed === 'boolean') return allowed !== false;
  if (typeof allowed === 'function') return false;
  return [allowed].flat().some((one) => (one instanceof RegExp ? one.test(origin) : one === origin));
}
