import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from './listen.js';

/** A proxy that removes a prefix from paths, and responds with 404 to all other paths. */
export class StrippingProxy {
  private constructor(
    private readonly server: Server,
    private readonly prefix: string,
  ) {}

  /**
   * @param target the port of a service on this machine
   * @param prefix for example `/shop`
   * @param extra header fields that the proxy sends in place of the client's header fields
   */
  static async open(target: number, prefix: string, extra: IncomingHttpHeaders = {}): Promise<StrippingProxy> {
    const server = createServer((received, response) => {
      const path = received.url ?? '';
      if (!path.startsWith(`${prefix}/`)) {
        response.writeHead(404).end();
        return;
      }
      const { method } = received;
      const headers = { ...received.headers, ...extra };
      const sent = request(
        { host: '127.0.0.1', port: target, path: path.slice(prefix.length), method, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
          answer.pipe(response);
        },
      );
      sent.on('error', () => response.destroy());
      received.pipe(sent);
    });
    await listen(server);
    return new StrippingProxy(server, prefix);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The address at which clients find the service. */
  get url(): string {
    return `${this.origin}${this.prefix}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
