import {
  Logger,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { ApiKeys } from '@animal-store/auth';
import { RequestTracker, RouteTable } from '@animal-store/http';
import { DatabaseHealth, DatabaseStats } from '@animal-store/persistence';
import { ApiKeysPersistenceModule } from '@animal-store/persistence/api-keys';
import { Gauge, Registry } from 'prom-client';
import { measureDatabase } from './database-metrics.js';
import { MetricsServer, type MetricsAddress } from './metrics-server.js';
import { measureProcess, type MeasuredProcess } from './process-metrics.js';
import { measureRequests } from './request-metrics.js';

/** Serves metrics of the service for Prometheus. If the module is not imported, nothing is measured. */
@Module({})
export class MetricsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MetricsModule.name);

  constructor(private readonly metrics: MetricsServer) {}

  static forRoot(address: MetricsAddress, measured: MeasuredProcess): DynamicModule {
    return {
      module: MetricsModule,
      imports: [ApiKeysPersistenceModule],
      providers: [
        {
          provide: MetricsServer,
          useFactory: (
            routes: RouteTable,
            tracker: RequestTracker,
            stats: DatabaseStats,
            health: DatabaseHealth,
            keys: ApiKeys,
          ) => {
            const registry = new Registry();
            measureProcess(registry, measured);
            measureDatabase(registry, stats, health);
            measureKeys(registry, keys);
            measureRequests(registry, routes, tracker);
            return new MetricsServer(registry, address);
          },
          inject: [RouteTable, RequestTracker, DatabaseStats, DatabaseHealth, ApiKeys],
        },
      ],
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.metrics.listen();
    this.logger.log(`Metrics at ${this.metrics.url}`);
  }

  /** In the last phase of the shutdown, so that the shutdown itself can be observed. */
  async onApplicationShutdown(): Promise<void> {
    await this.metrics.close();
  }
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
