import { callerOf, refusedApiKeyOf } from '@animal-store/auth';
import type { RequestTracker, RouteTable } from '@animal-store/http';
import { Counter, Histogram, type Registry } from 'prom-client';
import { addMetric } from './service-metrics.js';

/** Clients can send any method and any path. All unknown methods share one label, and so do all unknown paths. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER = 'other';

/** The upper bounds of the buckets of durations, in seconds. 0.5 is the objective. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The codes for which there are alerts. Their counts start at 0 on every route, so that the first error is an increase. */
const FAILURES = ['service_unavailable', 'internal_error'];

/** Measures the requests of a server. To be called before the server takes requests. */
export function measureRequests(registry: Registry, routes: RouteTable, tracker: RequestTracker): void {
  const registers = [registry];
  const add = addMetric.bind(null, registry);
  add('animal_store_http_requests_in_flight', 'Requests without a complete response yet.', () => tracker.inFlight);
  add('animal_store_http_connections', 'Open connections of clients.', () => tracker.openConnections);
  const durations = new Histogram({
    name: 'animal_store_http_request_duration_seconds',
    help: 'Time from the header of a request to the end of its response. Status "aborted": the connection ended before.',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers,
  });
  const errors = new Counter({
    name: 'animal_store_http_errors_total',
    help: 'Responses with an Error body, by its code. The code unauthorized counts requests without a valid API key.',
    labelNames: ['code', 'route'],
    registers,
    collect() {
      // The routes are known only when the application is initialised.
      for (const route of [...routes.paths.map(labelOf), OTHER])
        for (const code of FAILURES) this.inc({ code, route }, 0);
    },
  });
  const refusals = new Counter({
    name: 'animal_store_api_key_refusals_total',
    help: 'Requests with a stored API key that is "revoked" or "expired", by its name.',
    labelNames: ['key', 'reason'],
    registers,
  });
  const deprecatedCalls = new Counter({
    name: 'animal_store_deprecated_requests_total',
    help: 'Calls of a deprecated route, by the name of the API key that made them.',
    labelNames: ['route', 'key'],
    registers,
  });
  tracker.observe(({ request, response, ms, isAborted, errorCode, isDeprecated }) => {
    const { method = OTHER } = request;
    const route = labelOf((request as { readonly route?: { readonly path?: unknown } }).route?.path);
    const status = isAborted ? 'aborted' : String(response.statusCode);
    durations.observe({ route, method: METHODS.has(method) ? method : OTHER, status }, ms / 1000);
    if (errorCode !== undefined && !isAborted) errors.inc({ code: errorCode, route });
    const caller = callerOf(request);
    if (isDeprecated && caller !== undefined) deprecatedCalls.inc({ route, key: caller.keyName });
    const refused = refusedApiKeyOf(request);
    if (refused !== undefined) refusals.inc({ key: refused.keyName, reason: refused.reason });
  });
}

/** The label of a route. */
function labelOf(path: unknown): string {
  return typeof path === 'string' && !path.includes('*') ? path : OTHER;
}
