import { totalmem } from 'node:os';
import {
  Logger,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiKeys } from '@animal-store/auth';
import { DatabaseHealth, DatabaseStats } from '@animal-store/persistence';
import { ApiKeysPersistenceModule } from '@animal-store/persistence/api-keys';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { RequestTracker, type JsonExpressAdapter } from '@animal-store/http';
import { measureDatabase } from './database-metrics.js';
import { MetricsServer, type MetricsSettings } from './metrics-server.js';
import { RequestMetrics } from './request-metrics.js';

/** Serves metrics of the service for Prometheus. If the module is not imported, nothing is measured. */
@Module({})
export class MetricsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MetricsModule.name);

  constructor(
    private readonly requests: RequestMetrics,
    private readonly metrics: MetricsServer,
    private readonly host: HttpAdapterHost<JsonExpressAdapter>,
    private readonly requestTracker: RequestTracker,
  ) {}

  /** @param version of the service, for the metric `animal_store_build_info` */
  static forRoot(settings: MetricsSettings, version: string): DynamicModule {
    return {
      module: MetricsModule,
      imports: [ApiKeysPersistenceModule],
      providers: [
        {
          provide: Registry,
          useFactory: (stats: DatabaseStats, health: DatabaseHealth, keys: ApiKeys) =>
            createRegistry(version, stats, health, keys),
          inject: [DatabaseStats, DatabaseHealth, ApiKeys],
        },
        RequestMetrics,
        {
          provide: MetricsServer,
          useFactory: (registry: Registry) => new MetricsServer(registry, settings),
          inject: [Registry],
        },
      ],
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    this.requests.attach(this.host.httpAdapter.getHttpServer(), this.requestTracker);
    await this.metrics.listen();
    this.logger.log(`Metrics at ${this.metrics.url}`);
  }

  /** In the last phase of the shutdown, so that the shutdown itself can be observed. */
  async onApplicationShutdown(): Promise<void> {
    await this.metrics.close();
  }
}

function createRegistry(version: string, stats: DatabaseStats, health: DatabaseHealth, keys: ApiKeys): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // These gauges have names of counters. The same values are in the gauges without `_total`, by type.
  for (const resource of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${resource}_total`);
  describeProcess(registry, version);
  measureDatabase(registry, stats, health);
  measureKeys(registry, keys);
  return registry;
}

/** The metric of the next expiry of an API key. */
function measureKeys(registry: Registry, keys: ApiKeys): void {
  new Gauge({
    name: 'animal_store_api_key_next_expiry_timestamp_seconds',
    help: 'When the next API key expires that has no younger key of its name, in seconds since 1970; absent if none will.',
    labelNames: ['key'],
    registers: [registry],
    async collect() {
      // A database that is not available has metrics of its own.
      const next = await keys.nextExpiry().catch(() => undefined);
      this.reset();
      if (next !== undefined) this.set({ key: next.name }, next.expiresAt.getTime() / 1000);
    },
  });
}

/** Metrics of the version and of the memory limit. */
function describeProcess(registry: Registry, version: string): void {
  const registers = [registry];
  new Gauge({
    name: 'animal_store_build_info',
    help: 'Always 1, with the version of the service and of Node as labels.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.version }, 1);
  const limit = memoryLimit(process.constrainedMemory(), totalmem());
  if (limit === undefined) return;
  new Gauge({
    name: 'animal_store_memory_limit_bytes',
    help: 'The memory limit of the control group of the process, in bytes; absent if there is none.',
    registers,
  }).set(limit);
}

/**
 * The memory limit of the process, in bytes; `undefined` if it is not lower than the memory of the machine.
 *
 * @param constrained `process.constrainedMemory()`: without a limit it is 0 or a very large number
 * @param total the memory of the machine, in bytes
 */
export function memoryLimit(constrained: number, total: number): number | undefined {
  return constrained > 0 && constrained < total ? constrained : undefined;
}
