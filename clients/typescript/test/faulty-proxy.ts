import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A response that the proxy itself sends. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * What happens to a request. The service carries out the request, except for the first two faults.
 *
 * - a response that the proxy itself sends
 * - `refused`: the connection is lost before the request reaches the service
 * - `dropped`: the connection is lost after the service has carried out the request, so the response is lost
 * - `silenced`: no response arrives, and the connection stays open
 * - `cut`: the connection is lost in the middle of the response
 * - `shortened`: the response ends in the middle and does not state its length
 */
export type Fault = OwnAnswer | 'refused' | 'dropped' | 'silenced' | 'cut' | 'shortened' | 'none';

/** A proxy in front of the service that causes faults on demand. */
export class FaultyProxy {
  /** The faults of the next requests, one after the other. The requests after them pass. */
  faults: Fault[] = [];
  /** All received requests, in order. */
  readonly requests: IncomingMessage[] = [];
  private readonly server: Server;

  private constructor(
    private readonly target: string,
    private readonly prefix: string,
  ) {
    this.server = createServer((incoming, outgoing) => {
      // A browser sends this request before the actual request.
      if (incoming.method === 'OPTIONS') {
        this.handle(incoming, outgoing, 'none');
        return;
      }
      this.requests.push(incoming);
      this.handle(incoming, outgoing, this.faults.shift() ?? 'none');
    });
  }

  /** @param prefix removed from the paths of the requests, for example `/shop` */
  static open(target: string, prefix = ''): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target, prefix);
    return new Promise((resolve) => {
      proxy.server.listen(0, '127.0.0.1', () => {
        resolve(proxy);
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.prefix}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private handle(incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault): void {
    if (fault === 'refused') {
      outgoing.destroy();
    } else if (typeof fault === 'object') {
      incoming.resume();
      outgoing.writeHead(fault.status, fault.headers).end(fault.body);
    } else {
      this.forward(incoming, (answer, body) => {
        answerWith(outgoing, answer, body, fault);
      });
    }
  }

  private forward(incoming: IncomingMessage, done: (answer: IncomingMessage, body: Buffer) => void): void {
    const { method = '', headers, url = '' } = incoming;
    const outbound = send(this.target + url.slice(this.prefix.length), { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        done(answer, Buffer.concat(chunks));
      });
    });
    outbound.on('error', () => incoming.destroy());
    incoming.pipe(outbound);
  }
}

function answerWith(outgoing: ServerResponse, answer: IncomingMessage, body: Buffer, fault: Fault): void {
  const { statusCode = 0, headers } = answer;
  const half = body.subarray(0, body.length / 2);
  if (fault === 'none') {
    outgoing.writeHead(statusCode, headers).end(body);
  } else if (fault === 'dropped') {
    outgoing.destroy();
  } else if (fault === 'cut') {
    outgoing.writeHead(statusCode, headers).write(half, () => outgoing.destroy());
  } else if (fault === 'shortened') {
    const others = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-length'));
    outgoing.writeHead(statusCode, { ...others, connection: 'close' }).end(half);
  }
}
