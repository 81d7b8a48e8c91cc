import {
  Inject,
  Logger,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DatabaseHealth, DatabaseStats } from '@animal-store/persistence';
import { collectDefaultMetrics, Registry } from 'prom-client';
import {
  RequestTracker,
  type JsonExpressAdapter,
  listening,
  MetricsServer,
  type MetricsSettings,
  RouteTable,
} from '@animal-store/http';
import { measureDatabase } from './database-metrics.js';
import { describeProcess } from './process-metrics.js';
import { RequestMetrics } from './request-metrics.js';

const SETTINGS = Symbol('where the metrics are served');

/** Serves metrics of the service for Prometheus. If the module is not imported, nothing is measured. */
@Module({})
export class MetricsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MetricsModule.name);

  constructor(
    private readonly requests: RequestMetrics,
    private readonly metrics: MetricsServer,
    private readonly host: HttpAdapterHost<JsonExpressAdapter>,
    private readonly requestTracker: RequestTracker,
    @Inject(SETTINGS) private readonly settings: MetricsSettings,
  ) {}

  /** @param version of the service, for the metric `animal_store_build_info` */
  static forRoot(settings: MetricsSettings, version: string): DynamicModule {
    return {
      module: MetricsModule,
      providers: [
        { provide: SETTINGS, useValue: settings },
        {
          provide: Registry,
          useFactory: (load: DatabaseStats, health: DatabaseHealth) => createRegistry(version, load, health),
          inject: [DatabaseStats, DatabaseHealth],
        },
        {
          provide: RequestMetrics,
          useFactory: (registry: Registry, routes: RouteTable) => new RequestMetrics(registry, routes),
          inject: [Registry, RouteTable],
        },
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
    await listening(this.metrics.listen(), { host: 'METRICS_HOST', port: 'METRICS_PORT' }, this.settings);
    this.logger.log(`Metrics at ${this.metrics.url}`);
  }

  /** In the last phase of the shutdown, so that the shutdown itself can be observed. */
  async onApplicationShutdown(): Promise<void> {
    await this.metrics.close();
  }
}

function createRegistry(version: string, load: DatabaseStats, health: DatabaseHealth): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  // These gauges have names of counters. The same values are in the gauges without `_total`, by type.
  for (const resource of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${resource}_total`);
  describeProcess(registry, version);
  measureDatabase(registry, load, health);
  return registry;
}
