import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { callerOf, refusedApiKeyOf, type RefusedApiKey } from '@animal-store/auth';
import { Counter, Gauge, Registry } from 'prom-client';
import { type FinishedRequest, type RequestTracker, RouteTable } from '@animal-store/http';
import { DurationHistogram, type DurationSeries } from './duration-histogram.js';

/** Clients can send any method and any path. All unknown methods share one label, and so do all unknown paths. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER = 'other';

/** The number of keys with their own label. Each key has a time series for every class of status. */
const MAX_KEYS = 100;

/** By the first digit of the status; 0 is a request whose connection ended before the response was sent. */
const CLASSES: Readonly<Record<number, string>> = { 0: 'aborted', 2: '2xx', 3: '3xx', 4: '4xx', 5: '5xx' };
const LAST_CLASS = 5;

/** The error codes of Node for refused requests. Connections that were reset or lost have other codes. */
const REFUSED = /^(?:HPE|ERR_HTTP)_/;

/** The codes for which there are alerts. Their counts start at 0 on every route, so that the first error is an increase. */
const FAILURES = ['service_unavailable', 'internal_error'];

/** The status of a request whose connection ended before the response was sent. */
const ABORTED = 0;

/** The status of a request without a valid key. */
const UNAUTHORIZED = 401;

/** The measurements of the requests with one route, method and status. */
interface Series {
  readonly route: string;
  readonly durations: DurationSeries;
  /** The number of requests to a deprecated route, by the name of the key. */
  readonly deprecatedCalls: Map<string, number>;
}

/**
 * Measures the requests of a server. What every request adds to is counted in maps, and copied into the counters of prom-client at
 * a scrape: a lookup by labels for each request would cost several times as much.
 */
@Injectable()
export class RequestMetrics {
  private readonly durations: DurationHistogram;
  private readonly errors: Counter<'code' | 'route'>;
  private readonly refusals: Counter;
  private readonly keyRefusals: Counter<'key' | 'reason'>;
  /** The names of refused keys that have a label of their own. */
  private readonly refusedKeys = new Set<string>();
  private readonly series: Series[] = [];
  private readonly callers = new CallerCounts();
  /** By path of the route, method and status. Three lookups cost less than one lookup by a concatenated text. */
  private readonly found = new Map<unknown, Map<string, Map<number, Series>>>();

  constructor(
    private readonly registry: Registry,
    private readonly routes: RouteTable,
  ) {
    const registers = [registry];
    this.durations = new DurationHistogram(
      registry,
      'animal_store_http_request_duration_seconds',
      'Time from the header of a request to the end of its response. Status "aborted": the connection ended before.',
    );
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
    this.refusals = new Counter({
      name: 'animal_store_http_refused_connections_total',
      help: 'Connections that were closed without a valid request: not HTTP, too large, or too slow.',
      registers,
    });
    this.keyRefusals = new Counter({
      name: 'animal_store_api_key_refusals_total',
      help: 'Requests with a stored API key that is "revoked" or "expired", by its name. The key "other": all beyond a hundred.',
      labelNames: ['key', 'reason'],
      registers,
    });
    this.describeCallers();
    this.describeDeprecatedRoutes();
  }

  /** To be called once, before the server takes requests. */
  attach(server: Server, requestTracker: RequestTracker): void {
    requestTracker.observe((finished) => {
      this.count(finished);
    });
    server.on('clientError', ({ code = '' }: NodeJS.ErrnoException) => {
      if (REFUSED.test(code)) this.refusals.inc();
    });
    this.describeLoad(requestTracker);
  }

  private count({ request, response, ms, isAborted, errorCode, isDeprecated }: FinishedRequest): void {
    const status = isAborted ? ABORTED : response.statusCode;
    const path = (request as { readonly route?: { readonly path?: unknown } }).route?.path;
    const { route, durations, deprecatedCalls } = this.seriesOf(path, request.method ?? OTHER, status);
    durations.observe(ms / 1000);
    if (errorCode !== undefined && !isAborted) this.errors.inc({ code: errorCode, route });
    const key = callerOf(request)?.keyName;
    if (key === undefined) {
      const refused = status === UNAUTHORIZED ? refusedApiKeyOf(request) : undefined;
      if (refused !== undefined) this.countRefusal(refused);
      return;
    }
    this.callers.add(key, status);
    if (isDeprecated) deprecatedCalls.set(key, (deprecatedCalls.get(key) ?? 0) + 1);
  }

  private countRefusal({ keyName, reason }: RefusedApiKey): void {
    if (this.refusedKeys.size < MAX_KEYS) this.refusedKeys.add(keyName);
    this.keyRefusals.inc({ key: this.refusedKeys.has(keyName) ? keyName : OTHER, reason });
  }

  private seriesOf(path: unknown, sentMethod: string, status: number): Series {
    const method = METHODS.has(sentMethod) ? sentMethod : OTHER;
    let byMethod = this.found.get(path);
    if (byMethod === undefined) this.found.set(path, (byMethod = new Map<string, Map<number, Series>>()));
    let byStatus = byMethod.get(method);
    if (byStatus === undefined) byMethod.set(method, (byStatus = new Map<number, Series>()));
    let series = byStatus.get(status);
    if (series === undefined) byStatus.set(status, (series = this.openSeries(path, method, status)));
    return series;
  }

  private openSeries(path: unknown, method: string, code: number): Series {
    const route = labelOf(path);
    const status = code === ABORTED ? 'aborted' : String(code);
    const durations = this.durations.of({ route, method, status });
    const series = { route, durations, deprecatedCalls: new Map<string, number>() };
    this.series.push(series);
    return series;
  }

  private describeLoad(requestTracker: RequestTracker): void {
    const registers = [this.registry];
    new Gauge({
      name: 'animal_store_http_requests_in_flight',
      help: 'Requests without a complete response yet.',
      registers,
      collect() {
        this.set(requestTracker.inFlight);
      },
    });
    new Gauge({
      name: 'animal_store_http_connections',
      help: 'Open connections of clients.',
      registers,
      collect() {
        this.set(requestTracker.openConnections);
      },
    });
  }

  private describeCallers(): void {
    const { callers } = this;
    new Counter({
      name: 'animal_store_http_requests_by_key_total',
      help: 'Requests with a valid API key, by its name and the class of the status. The key "other": all beyond a hundred.',
      labelNames: ['key', 'status_class'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const { labels, count } of callers.all()) this.inc({ ...labels }, count);
      },
    });
  }

  private describeDeprecatedRoutes(): void {
    const { registry, routes, series } = this;
    const registers = [registry];
    new Counter({
      name: 'animal_store_deprecated_requests_total',
      help: 'Calls of a deprecated route, by the name of the API key that made them.',
      labelNames: ['route', 'key'],
      registers,
      collect() {
        this.reset();
        for (const { route, deprecatedCalls } of series)
          for (const [key, calls] of deprecatedCalls) this.inc({ route, key }, calls);
      },
    });
    new Gauge({
      name: 'animal_store_route_sunset_timestamp_seconds',
      help: 'When a deprecated route will be removed, in seconds since 1970.',
      labelNames: ['route'],
      registers,
      collect() {
        for (const { path: route, deprecation } of routes.deprecated) {
          if (deprecation.sunset !== undefined) this.set({ route }, deprecation.sunset);
        }
      },
    });
  }
}

/** The label of a route. */
function labelOf(path: unknown): string {
  return typeof path === 'string' && !path.includes('*') ? path : OTHER;
}

/** Counts the requests of API keys by the class of their status. Keys with the same name count as one key. */
export class CallerCounts {
  private readonly counts = new Map<string, number[]>();
  private readonly others: number[] = newCounts();

  /** @param status 0 if the connection ended before the response was sent */
  add(keyName: string, status: number): void {
    const counts = this.counts.get(keyName) ?? this.open(keyName);
    const index = Math.min(Math.floor(status / 100), LAST_CLASS);
    counts[index] = (counts[index] ?? 0) + 1;
  }

  /** A count for each key and class, also if it is 0. */
  *all(): Iterable<{
    readonly labels: { readonly key: string; readonly status_class: string };
    readonly count: number;
  }> {
    for (const [key, counts] of [...this.counts, [OTHER, this.others] as const]) {
      for (const [index, statusClass] of Object.entries(CLASSES)) {
        yield { labels: { key, status_class: statusClass }, count: counts[Number(index)] ?? 0 };
      }
    }
  }

  private open(keyName: string): number[] {
    if (this.counts.size >= MAX_KEYS || keyName === OTHER) return this.others;
    const counts = newCounts();
    this.counts.set(keyName, counts);
    return counts;
  }
}

function newCounts(): number[] {
  return new Array<number>(LAST_CLASS + 1).fill(0);
}
