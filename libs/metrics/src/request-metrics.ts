import { callerOf, refusedApiKeyOf } from '@animal-store/auth';
import type { FinishedRequest, RequestTracker, RouteTable } from '@animal-store/http';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Clients can send any method and any path. All unknown methods share one label, and so do all unknown paths. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER = 'other';

/** The upper bounds of the buckets of durations, in seconds. 0.5 is the objective. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The codes for which there are alerts. Their counts start at 0 on every route, so that the first error is an increase. */
const FAILURES = ['service_unavailable', 'internal_error'];

const UNAUTHORIZED = 401;

/** Measures the requests of a server. To be called before the server takes requests. */
export function measureRequests(registry: Registry, routes: RouteTable, tracker: RequestTracker): void {
  const registers = [registry];
  new Gauge({
    name: 'animal_store_route_sunset_timestamp_seconds',
    help: 'When a deprecated route will be removed, in seconds since 1970.',
    labelNames: ['route'],
    registers,
    collect() {
      for (const { path: route, deprecation } of routes.deprecated)
        if (deprecation.sunset !== undefined) this.set({ route }, deprecation.sunset);
    },
  });
  new Gauge({
    name: 'animal_store_http_requests_in_flight',
    help: 'Requests without a complete response yet.',
    registers,
    collect() {
      this.set(tracker.inFlight);
    },
  });
  new Gauge({
    name: 'animal_store_http_connections',
    help: 'Open connections of clients.',
    registers,
    collect() {
      this.set(tracker.openConnections);
    },
  });
  const metrics = new RequestMetrics(registry, routes);
  tracker.observe((finished) => {
    metrics.count(finished);
  });
}

/** Counts requests when their responses are over. */
class RequestMetrics {
  private readonly durations: Histogram<'route' | 'method' | 'status'>;
  private readonly errors: Counter<'code' | 'route'>;
  private readonly requestsByKey: Tally<'key' | 'status_class'>;
  private readonly keyRefusals: Counter<'key' | 'reason'>;
  private readonly deprecatedCalls: Tally<'route' | 'key'>;
  private readonly callers = new NameLabels();
  private readonly refusedCallers = new NameLabels();

  constructor(registry: Registry, routes: RouteTable) {
    const registers = [registry];
    this.durations = new Histogram({
      name: 'animal_store_http_request_duration_seconds',
      help: 'Time from the header of a request to the end of its response. Status "aborted": the connection ended before.',
      labelNames: ['route', 'method', 'status'],
      buckets: SECONDS,
      registers,
    });
    this.errors = new Counter({
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
    this.requestsByKey = new Tally(
      'animal_store_http_requests_by_key_total',
      'Requests with a valid API key, by its name and the class of the status. The key "other": all beyond a hundred.',
      ['key', 'status_class'],
      registers,
    );
    this.keyRefusals = new Counter({
      name: 'animal_store_api_key_refusals_total',
      help: 'Requests with a stored API key that is "revoked" or "expired", by its name. The key "other": all beyond a hundred.',
      labelNames: ['key', 'reason'],
      registers,
    });
    this.deprecatedCalls = new Tally(
      'animal_store_deprecated_requests_total',
      'Calls of a deprecated route, by the name of the API key that made them.',
      ['route', 'key'],
      registers,
    );
  }

  count({ request, response, ms, isAborted, errorCode, isDeprecated }: FinishedRequest): void {
    const { method = OTHER } = request;
    const { statusCode } = response;
    const status = isAborted ? 'aborted' : String(statusCode);
    const route = labelOf((request as { readonly route?: { readonly path?: unknown } }).route?.path);
    this.durations.observe({ route, method: METHODS.has(method) ? method : OTHER, status }, ms / 1000);
    if (errorCode !== undefined && !isAborted) this.errors.inc({ code: errorCode, route });

    const caller = callerOf(request);
    if (caller !== undefined) {
      const key = this.callers.of(caller.keyName);
      this.requestsByKey.add(key, isAborted ? status : `${status.charAt(0)}xx`);
      if (isDeprecated) this.deprecatedCalls.add(route, key);
    } else if (statusCode === UNAUTHORIZED) {
      const refused = refusedApiKeyOf(request);
      if (refused !== undefined)
        this.keyRefusals.inc({ key: this.refusedCallers.of(refused.keyName), reason: refused.reason });
    }
  }
}

/** A counter of two labels for every request. `prom-client` hashes the labels of each call, so it hears of the sums, when asked. */
class Tally<Label extends string> {
  private readonly counts = new Map<string, Map<string, number>>();

  constructor(name: string, help: string, labelNames: readonly [Label, Label], registers: Registry[]) {
    const { counts } = this;
    const [first, second] = labelNames;
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        for (const [one, others] of counts)
          for (const [other, count] of others)
            this.inc({ [first]: one, [second]: other } as Record<Label, string>, count);
        counts.clear();
      },
    });
  }

  add(one: string, other: string): void {
    let others = this.counts.get(one);
    if (others === undefined) this.counts.set(one, (others = new Map<string, number>()));
    others.set(other, (others.get(other) ?? 0) + 1);
  }
}

/** The label of a route. */
function labelOf(path: unknown): string {
  return typeof path === 'string' && !path.includes('*') ? path : OTHER;
}

/** How many names have a label of their own: each is several time series in Prometheus. */
const MAX_NAMES = 100;

/** Gives the first names their own label, and one label to all others. */
class NameLabels {
  private readonly names = new Set<string>();

  of(name: string): string {
    if (this.names.size < MAX_NAMES) this.names.add(name);
    return this.names.has(name) ? name : OTHER;
  }
}
