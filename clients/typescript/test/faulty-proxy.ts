import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer of the proxy's own. */
export interface OwnAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * What becomes of a request. But for the first two the service carries it out.
 *
 * - an answer of the proxy's own
 * - `refused`: the connection is lost before it
 * - `dropped`: the connection is lost after it, and the answer with it
 * - `silenced`: no answer comes, and the connection stays
 * - `cut`: it is lost in the middle of the answer
 * - `shortened`: the answer ends in the middle, and does not say how long it is
 */
export type Fault = OwnAnswer | 'refused' | 'dropped' | 'silenced' | 'cut' | 'shortened' | 'none';

/** A proxy before the service that fails when it is told to. */
export class FaultyProxy {
  /** Of the requests to come, one after the other; those after it pass. */
  faults: Fault[] = [];
  /** All requests that came, in their order. */
  readonly requests: IncomingMessage[] = [];
  private readonly server: Server;

  private constructor(
    private readonly target: string,
    private readonly prefix: string,
  ) {
    this.server = createServer((incoming, outgoing) => {
      // Asked by a browser before the request itself.
      if (incoming.method === 'OPTIONS') {
        this.handle(incoming, outgoing, 'none');
        return;
      }
      this.requests.push(incoming);
      this.handle(incoming, outgoing, this.faults.shift() ?? 'none');
    });
  }

  /** @param prefix taken away from the paths of requests, as `/shop` */
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
