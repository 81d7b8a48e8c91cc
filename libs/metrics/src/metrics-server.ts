import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ErrorResponse, SECURITY_HEADERS } from '@animal-store/http';
import type { Registry } from 'prom-client';

const PATH = '/metrics';
const ALLOWED = ['GET', 'HEAD'];

/** A few Prometheus servers scrape an instance, each with one connection. */
const MAX_CONNECTIONS = 64;

/** The address of the metrics. */
export interface MetricsSettings {
  readonly host: string;
  readonly port: number;
}

/**
 * Serves the metrics on a separate port that clients of the API cannot reach: it requires no key. The port has the
 * limits of the API's port.
 */
export class MetricsServer {
  private readonly server: Server;

  constructor(
    private readonly registry: Registry,
    private readonly settings: MetricsSettings,
  ) {
    this.server = createServer((request, response) => {
      // The next scrape takes another connection, so that nobody queues scrapes on one.
      response.shouldKeepAlive = false;
      void this.respond(request, response);
    });
    this.server.maxConnections = MAX_CONNECTIONS;
  }

  /** The address of the metrics while the server listens. */
  get url(): string {
    const { address, family, port } = this.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${PATH}`;
  }

  async listen(): Promise<void> {
    this.server.listen(this.settings.port, this.settings.host);
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.split('?', 1)[0] !== PATH) {
      refuse(response, ErrorResponse.nothingHere());
    } else if (!ALLOWED.includes(request.method ?? '')) {
      response.setHeader('Allow', ALLOWED.join(', '));
      refuse(response, ErrorResponse.of('method_not_allowed', 'The metrics can only be read'));
    } else {
      try {
        write(response, 200, this.registry.contentType, await this.registry.metrics());
      } catch {
        refuse(response, ErrorResponse.of('internal_error', 'The metrics could not be read'));
      }
    }
  }
}

function refuse(response: ServerResponse, error: ErrorResponse): void {
  write(response, error.status, 'application/json', JSON.stringify(error));
}

function write(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'Cache-Control': 'no-store',
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
