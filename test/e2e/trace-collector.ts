import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../support/listen.js';

/** A span in the JSON form of OTLP/HTTP, with only the members that the tests read. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** Receives spans in the same way as an OpenTelemetry collector. */
export class TraceCollector {
  readonly spans: Span[] = [];
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as {
        resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
      };
      this.spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });

  async open(): Promise<void> {
    await listen(this.server);
  }

  /** The environment that makes a program send its spans to this collector, with a short delay. */
  get environment(): Record<string, string> {
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    };
  }

  /** The spans of a trace, as soon as they satisfy `complete`. */
  async trace(traceId: string, complete: (spans: readonly Span[]) => boolean): Promise<Span[]> {
    for (let waited = 0; waited < 10_000; waited += 50) {
      const found = this.spans.filter((span) => span.traceId === traceId);
      if (complete(found)) return found;
      await delay(50);
    }
    throw new Error(`The trace did not come: ${JSON.stringify(this.spans, undefined, 2)}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
