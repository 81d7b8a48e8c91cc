import type { Server, ServerResponse } from 'node:http';
import { callerOf } from '@animal-store/auth';
import { Counter, Gauge } from 'prom-client';
import { routeHeadersOf, errorCodeSentWith, type RequestTracker, type RouteTable } from '@animal-store/http';
import { CallerCounts } from './caller-counts.js';
import { DurationDistribution, type LabelledDistribution } from './distribution.js';
import type { MetricsRegistry } from './metrics-registry.js';

/** Clients can send any method and any path. All unknown methods share one label, and so do all unknown paths. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER = 'other';

/** The error codes of Node for refused requests. Connections that were reset or lost have other codes. */
const REFUSED = /^(?:HPE|ERR_HTTP)_/;

/** The codes for which there are alerts. Their counts start at 0 on every route, so that the first error is an increase. */
const FAILURES = ['service_unavailable', 'internal_error'];

/** The status of a request whose client disconnected before the response was sent. */
const ABORTED = 0;

/** The measurements of the requests with one route, method and status. */
interface Series extends LabelledDistribution {
  readonly distribution: DurationDistribution;
  /** The number of responses with an Error body, by its code. */
  readonly errors: Map<string, number>;
  /** The number of requests to a deprecated route, by the name of the key. */
  readonly deprecatedCalls: Map<string, number>;
}

/** Measures the requests of a server. */
export class RequestMetrics {
  private refusals = 0;
  private readonly series: Series[] = [];
  private readonly callers = new CallerCounts();
  /** By path of the route, method and status. Three lookups cost less than one lookup by a concatenated text. */
  private readonly found = new Map<unknown, Map<string, Map<number, Series>>>();

  constructor(
    private readonly registry: MetricsRegistry,
    private readonly routes: RouteTable,
  ) {
    registry.registerHistogram({
      name: 'animal_store_http_request_duration_seconds',
      help: 'Time from the header of a request to the end of its answer. Status "aborted": the client went away before.',
      read: () => this.series,
    });
    this.countErrors();
    this.countCallers();
    this.countDeprecatedCalls();
  }

  /** To be called once, before the server takes requests. */
  attach(server: Server, requestTracker: RequestTracker): void {
    requestTracker.watch((response, ms) => {
      this.count(response, ms / 1000);
    });
    server.on('clientError', ({ code = '' }: NodeJS.ErrnoException) => {
      if (REFUSED.test(code)) this.refusals += 1;
    });
    this.describe(requestTracker);
  }

  private count(response: ServerResponse, seconds: number): void {
    const { req: request } = response;
    const status = response.writableFinished ? response.statusCode : ABORTED;
    const path = (request as { readonly route?: { readonly path?: unknown } }).route?.path;
    const series = this.seriesOf(path, request.method ?? OTHER, status);
    series.distribution.add(seconds);
    const code = status >= 400 ? errorCodeSentWith(response) : undefined;
    if (code !== undefined) series.errors.set(code, (series.errors.get(code) ?? 0) + 1);
    const key = callerOf(request)?.keyName;
    if (key === undefined) return;
    this.callers.add(key, status);
    if (routeHeadersOf(request) !== undefined)
      series.deprecatedCalls.set(key, (series.deprecatedCalls.get(key) ?? 0) + 1);
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

  /** Fallback routes share a series, because they have the same label. */
  private openSeries(path: unknown, method: string, code: number): Series {
    const route = labelOf(path);
    const status = code === ABORTED ? 'aborted' : String(code);
    const known = this.series.find(
      ({ labels }) => labels['route'] === route && labels['method'] === method && labels['status'] === status,
    );
    if (known !== undefined) return known;
    const series = {
      labels: { route, method, status },
      distribution: new DurationDistribution(),
      errors: new Map<string, number>(),
      deprecatedCalls: new Map<string, number>(),
    };
    this.series.push(series);
    return series;
  }

  private describe(requestTracker: RequestTracker): void {
    const registers = [this.registry];
    const refusals = () => this.refusals;
    new Gauge({
      name: 'animal_store_http_requests_in_flight',
      help: 'Requests that came and are not answered yet.',
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
    new Counter({
      name: 'animal_store_http_refused_connections_total',
      help: 'Connections that ended because what came was no HTTP, too large or too slow to become a request.',
      registers,
      collect() {
        this.reset();
        this.inc(refusals());
      },
    });
  }

  private countErrors(): void {
    const { routes, series } = this;
    new Counter({
      name: 'animal_store_http_errors_total',
      help: 'Answers with an Error body, by its code. The code unauthorized counts the refusals of the key check.',
      labelNames: ['code', 'route'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const route of [...routes.paths.map(labelOf), OTHER])
          for (const code of FAILURES) this.inc({ code, route }, 0);
        for (const { labels, errors } of series) {
          for (const [code, answers] of errors) this.inc({ code, route: labels['route'] ?? OTHER }, answers);
        }
      },
    });
  }

  private countCallers(): void {
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

  private countDeprecatedCalls(): void {
    const series = this.series;
    const routes = this.routes;
    const registers = [this.registry];
    new Counter({
      name: 'animal_store_deprecated_requests_total',
      help: 'Calls of a deprecated route, by the name of the API key that made them.',
      labelNames: ['route', 'key'],
      registers,
      collect() {
        this.reset();
        for (const { labels, deprecatedCalls } of series) {
          for (const [key, calls] of deprecatedCalls) this.inc({ route: labels['route'] ?? OTHER, key }, calls);
        }
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
