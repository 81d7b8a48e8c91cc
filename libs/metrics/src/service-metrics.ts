import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { totalmem } from 'node:os';
import type { ApiKeys } from '@animal-store/auth';
import type { DatabaseHealth, DatabaseStats } from '@animal-store/persistence';
import { collectDefaultMetrics, Counter, Gauge, type Registry } from 'prom-client';

type Value = number | undefined | Readonly<Record<string, number>>;

/**
 * Adds a metric that is read with every scrape: a counter if its name ends in `_total`, otherwise a gauge.
 *
 * @param read the value, or the values by those of `label`; without a value the metric is absent
 */
export function addMetric(
  registry: Registry,
  name: string,
  help: string,
  read: () => Value | Promise<Value>,
  label?: string,
): void {
  const Metric = name.endsWith('_total') ? Counter<string> : Gauge<string>;
  const metric = new Metric({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      const value = await read();
      metric.reset();
      if (value === undefined) metric.remove();
      else if (typeof value === 'number') metric.inc(value);
      else for (const [key, number] of Object.entries(value)) metric.inc({ [label ?? '']: key }, number);
    },
  });
}

/**
 * Metrics of the process, its log, the database and the stored API keys.
 *
 * @param lostLogLines the number of lines of the log that were lost, and of attempts to write it that failed
 */
export function measureService(
  registry: Registry,
  lostLogLines: () => number,
  stats: DatabaseStats,
  health: DatabaseHealth,
  keys: ApiKeys,
): void {
  collectDefaultMetrics({ register: registry });
  const add = addMetric.bind(null, registry);
  const version = { [versionOfService()]: 1 };
  add('animal_store_build_info', 'Always 1, with the version of the service as a label.', () => version, 'version');
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
  add('animal_store_database_ready', '1 if the database responds and has all migrations, otherwise 0.', () =>
    health.check().then(
      () => 1,
      () => 0,
    ),
  );
  add(
    'animal_store_database_errors_total',
    'Failed operations of the database, by reason.',
    () => stats.errors,
    'reason',
  );
  const pool = 'animal_store_database_pool_connections';
  add(`${pool}_max`, 'The maximum number of open connections to the database.', () => stats.pool()?.max);
  add(`${pool}_open`, 'Open connections to the database.', () => stats.pool()?.total);
  add(`${pool}_idle`, 'Open connections to the database that are idle.', () => stats.pool()?.idle);
  add(`${pool}_waiting`, 'Statements and transactions that wait for a connection.', () => stats.pool()?.waiting);
  add(
    'animal_store_database_certificate_expiry_timestamp_seconds',
    'When the certificate of the database ends, in seconds since 1970. Absent without TLS.',
    () => stats.pool()?.certificateExpiry,
  );
  add(
    'animal_store_waiting_calls',
    'Calls that wait for a statement that they share.',
    () => stats.waiting(),
    'statement',
  );
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

/** The version in the `package.json` of the service, in a checkout and in the image. */
function versionOfService(): string {
  const file = findPackageJSON(import.meta.url) ?? 'package.json';
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
