import { once } from 'node:events';
import { IncomingMessage, ServerResponse, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createLimitedServer,
  ErrorResponse,
  listening,
  RequestTracker,
  SECURITY_HEADERS,
  type ServerLimits,
} from '@animal-store/http';
import type { Registry } from 'prom-client';

const PATH = '/metrics';
const ALLOWED = ['GET', 'HEAD'];

/** A few Prometheus servers scrape an instance, each with one connection. */
const LIMITS: ServerLimits = { connections: 64, waitingRequests: 64, unreadBytes: 16 * 1024 ** 2 };

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
    const requestTracker = new RequestTracker();
    const messages = { IncomingMessage: class extends IncomingMessage {}, ServerResponse };
    this.server = createLimitedServer({
      requestTracker,
      limits: LIMITS,
      messages,
      methods: ALLOWED,
      serve: (request, response) => {
        // The next scrape takes another connection, so that nobody queues scrapes on one.
        response.shouldKeepAlive = false;
        void this.respond(request, response);
      },
      refuse: (_request, response) => {
        response.shouldKeepAlive = false;
        refuse(response, ErrorResponse.of('service_unavailable', 'Too many scrapes wait at the moment'));
      },
    });
  }

  /** The address of the metrics while the server listens. */
  get url(): string {
    const { address, family, port } = this.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${PATH}`;
  }

  /** @throws ListenError that names METRICS_HOST and METRICS_PORT */
  async listen(): Promise<void> {
    this.server.listen(this.settings.port, this.settings.host);
    await listening(once(this.server, 'listening'), { host: 'METRICS_HOST', port: 'METRICS_PORT' }, this.settings);
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
