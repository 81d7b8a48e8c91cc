import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Inject, Injectable, Logger, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { ApiKeysPersistenceModule } from '@animal-store/persistence/api-keys';
import { Registry } from 'prom-client';
import { METRICS_OPTIONS, Metrics, type MetricsOptions } from './metrics.js';

/** Serves the metrics on a port of their own, which clients of the API cannot reach: it requires no key. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Prometheus keeps its connection from one scrape to the next: it needs no new descriptor when none is left. */
  private readonly server = createServer(
    { keepAliveTimeout: 65_000 },
    (request, response) => void this.respond(request, response),
  );

  constructor(
    @Inject(METRICS_OPTIONS) private readonly options: MetricsOptions,
    private readonly metrics: Metrics,
  ) {}

  /** The port on which the server listens: that of the options may be 0. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { port, host } = this.options;
    // What is not HTTP gets no response, which would be no JSON.
    this.server.on('clientError', (_error, socket) => socket.destroy());
    await once(this.server.listen(port, host), 'listening');
    new Logger(MetricsServer.name).log(`Metrics at http://${host}:${this.port}/metrics`);
  }

  /** In the last phase of the shutdown, so that the shutdown itself can be observed. */
  onApplicationShutdown(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async respond({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (method !== 'GET' || url?.split('?', 1)[0] !== '/metrics') {
      refuse(response, 404, 'not_found', 'There is nothing but GET /metrics');
      return;
    }
    try {
      const text = await this.metrics.render();
      response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text);
    } catch {
      refuse(response, 500, 'internal_error', 'The metrics could not be read');
    }
  }
}

/** Sends the Error body of the API, which every error of the process has. */
function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ code, message, status }));
}

/** Measures the service for Prometheus. If the module is not imported, nothing is measured. */
@Module({ imports: [ApiKeysPersistenceModule], providers: [Metrics, MetricsServer] })
export class MetricsModule {
  static forRoot(options: MetricsOptions): DynamicModule {
    return { module: MetricsModule, providers: [{ provide: METRICS_OPTIONS, useValue: options }] };
  }
}
