import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { totalmem } from 'node:os';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiKeys, callerOf } from '@animal-store/auth';
import type { FinishedRequest, JsonExpressAdapter } from '@animal-store/http';
import { DatabaseHealth, DatabaseStats } from '@animal-store/persistence';
import { collectDefaultMetrics, Counter, Gauge, Histogram, register, Registry } from 'prom-client';

export const METRICS_OPTIONS = Symbol('options of the metrics');

export interface MetricsOptions {
  readonly host: string;
  readonly port: number;
  /** Returns `Log.lostLines`. */
  readonly lostLogLines: () => number;
}

/** Clients can send any method and any path, so all unknown methods share one label, and so do all unknown paths. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const OTHER = 'other';

/** The upper bounds of the buckets of durations. 0.5 is the objective. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The codes for which there are alerts. Their counts start at 0 on every route, so that the first error is an increase. */
const FAILURES = ['service_unavailable', 'internal_error'];

type Value = number | undefined | Readonly<Record<string, number>>;

/** The metrics of the service, and those that modules add to the default registry of `prom-client`. */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly registers = [this.registry];
  private text: Promise<string> | undefined;

  private readonly durations = new Histogram({
    name: 'animal_store_http_request_duration_seconds',
    help: 'Time from the header of a request to the end of its response. Status "aborted": the connection ended before.',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers: this.registers,
  });
  private readonly errors = new Counter({
    name: 'animal_store_http_errors_total',
    help: 'Responses with an Error body, by its code. The code unauthorized counts requests without a valid API key.',
    labelNames: ['code', 'route'],
    registers: this.registers,
    // The routes are known only when the application is initialised.
    collect: () => {
      for (const route of [...this.host.httpAdapter.routes.paths.map(labelOf), OTHER])
        for (const code of FAILURES) this.errors.inc({ code, route }, 0);
    },
  });
  private readonly deprecatedCalls = new Counter({
    name: 'animal_store_deprecated_requests_total',
    help: 'Calls of a deprecated route, by the name of the API key that made them.',
    labelNames: ['route', 'key'],
    registers: this.registers,
  });

  constructor(
    @Inject(METRICS_OPTIONS) { lostLogLines }: MetricsOptions,
    private readonly host: HttpAdapterHost<JsonExpressAdapter>,
    stats: DatabaseStats,
    health: DatabaseHealth,
    keys: ApiKeys,
  ) {
    const { requestTracker: tracker } = host.httpAdapter;
    collectDefaultMetrics({ register: this.registry });
    const add = this.add.bind(this);
    const build = { [versionOfService()]: 1 };
    add('animal_store_build_info', 'Always 1, with the version of the service as a label.', () => build, 'version');
    // Without a limit it is 0 or a very large number.
    const limit = process.constrainedMemory();
    add(
      'animal_store_memory_limit_bytes',
      'The memory limit of the control group of the process, in bytes; absent if there is none.',
      () => (limit > 0 && limit < totalmem() ? limit : undefined),
    );
    add(
      'animal_store_log_lines_lost_total',
      'Lines of the log that were lost, because nobody read it, and attempts to write it that failed.',
      lostLogLines,
    );
    add('animal_store_http_requests_in_flight', 'Requests without a complete response yet.', () => tracker.inFlight);
    add('animal_store_http_connections', 'Open connections of clients.', () => tracker.openConnections);
    tracker.observe(this.observe);
    add('animal_store_database_ready', '1 if the database responds and has all migrations, otherwise 0.', () =>
      health.check().then(
        () => 1,
        () => 0,
      ),
    );
    add('animal_store_database_errors_total', 'Failed operations of the database.', () => stats.errors, 'reason');
    const pool = 'animal_store_database_pool_connections';
    add(`${pool}_max`, 'The maximum number of open connections to the database.', () => stats.pool()?.max);
    add(`${pool}_open`, 'Open connections to the database.', () => stats.pool()?.total);
    add(`${pool}_idle`, 'Open connections to the database that are idle.', () => stats.pool()?.idle);
    add(`${pool}_waiting`, 'Statements and transactions that wait for a connection.', () => stats.pool()?.waiting);
    add('animal_store_waiting_calls', 'Calls that wait for a shared statement.', () => stats.waiting(), 'statement');
    add(
      'animal_store_api_key_next_expiry_timestamp_seconds',
      'When the next API key expires that has no younger key of its name, in seconds since 1970; absent if none will.',
      async () => {
        // Other metrics tell that the database is unavailable.
        const next = await keys.nextExpiry().catch(() => undefined);
        return next === undefined ? {} : { [next.name]: next.expiresAt.getTime() / 1000 };
      },
      'key',
    );
  }

  /** All metrics in the text format of Prometheus. Scrapes that arrive while a text is being made share it. */
  render(): Promise<string> {
    this.text ??= Registry.merge([this.registry, register])
      .metrics()
      .finally(() => (this.text = undefined));
    return this.text;
  }

  /**
   * Adds a metric that is read with every scrape: a counter if its name ends in `_total`, otherwise a gauge.
   *
   * @param read the value, or the values by those of `label`; without a value the metric is absent
   */
  private add(name: string, help: string, read: () => Value | Promise<Value>, label?: string): void {
    const Metric = name.endsWith('_total') ? Counter<string> : Gauge<string>;
    const metric = new Metric({
      name,
      help,
      labelNames: label === undefined ? [] : [label],
      registers: this.registers,
      async collect() {
        const value = await read();
        metric.reset();
        if (value === undefined) metric.remove();
        else if (typeof value === 'number') metric.inc(value);
        else for (const [key, number] of Object.entries(value)) metric.inc({ [label ?? '']: key }, number);
      },
    });
  }

  private readonly observe = ({ request, response, state, ms, isAborted }: FinishedRequest): void => {
    const { errorCode, deprecation } = state;
    const { method = OTHER } = request;
    const route = labelOf((request as { readonly route?: { readonly path?: unknown } }).route?.path);
    const status = isAborted ? 'aborted' : String(response.statusCode);
    this.durations.observe({ route, method: METHODS.has(method) ? method : OTHER, status }, ms / 1000);
    if (errorCode !== undefined && !isAborted) this.errors.inc({ code: errorCode, route });
    const caller = callerOf(request);
    if (deprecation !== undefined && caller !== undefined) this.deprecatedCalls.inc({ route, key: caller.keyName });
  };
}

function labelOf(path: unknown): string {
  return typeof path === 'string' && !path.includes('*') ? path : OTHER;
}

/** The version in the `package.json` of the service, in a checkout and in the image. */
function versionOfService(): string {
  const file = findPackageJSON(import.meta.url) ?? 'package.json';
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
