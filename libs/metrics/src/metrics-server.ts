import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { register, Registry } from 'prom-client';

const PATH = '/metrics';

/** A few Prometheus servers scrape an instance, each with one connection. Further connections are closed at once. */
const MAX_CONNECTIONS = 64;

/** The address of the metrics. */
export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Serves the metrics on a port of their own, which clients of the API cannot reach: it requires no key. Beside those of the
 * registry it has what modules add to the default registry of `prom-client`.
 */
export class MetricsServer {
  private readonly server = createServer((request, response) => {
    void this.respond(request, response);
  });

  constructor(
    private readonly registry: Registry,
    private readonly address: MetricsAddress,
  ) {
    this.server.maxConnections = MAX_CONNECTIONS;
    // So that nobody queues scrapes on a connection.
    this.server.maxRequestsPerSocket = 1;
  }

  /** The address of the metrics while the server listens. */
  get url(): string {
    const { address, family, port } = this.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${PATH}`;
  }

  async listen(): Promise<void> {
    this.server.listen(this.address.port, this.address.host);
    await once(this.server, 'listening');
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async respond({ method = '', url }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url?.split('?', 1)[0] !== PATH) {
      refuse(response, 404, 'not_found', 'There is nothing at this address');
    } else if (!['GET', 'HEAD'].includes(method)) {
      response.setHeader('Allow', 'GET, HEAD');
      refuse(response, 405, 'method_not_allowed', 'The metrics can only be read');
    } else {
      await this.send(response);
    }
  }

  private async send(response: ServerResponse): Promise<void> {
    try {
      const metrics = await Registry.merge([this.registry, register]).metrics();
      response.writeHead(200, { 'Content-Type': this.registry.contentType, 'Cache-Control': 'no-store' }).end(metrics);
    } catch {
      refuse(response, 500, 'internal_error', 'The metrics could not be read');
    }
  }
}

/** Sends the Error body of the API, which every error of the process has. */
function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  const body = JSON.stringify({ code, message, status });
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}
