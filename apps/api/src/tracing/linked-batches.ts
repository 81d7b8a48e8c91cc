import { context, SpanStatusCode, trace, type Context, type Link } from '@opentelemetry/api';
import type { BatchTracing } from '@animal-store/persistence';

/** How many requests a span links to at most: the SDK keeps no more by default. */
const MAX_LINKS = 128;

/**
 * One statement serves many requests, and a span has one parent: it belongs to the trace of the first, and links to the
 * others (OpenTelemetry specification, "Links between spans").
 */
export class LinkedBatches implements BatchTracing<Context> {
  origin(): Context {
    return context.active();
  }

  async trace<Result>(origins: readonly Context[], statement: () => Promise<Result>): Promise<Result> {
    const [first = context.active(), ...others] = origins;
    const tracer = trace.getTracer('animal-store');
    const attributes = { 'animal_store.batch.size': origins.length };
    const span = tracer.startSpan('shared statement', { attributes, links: linksTo(others) }, first);
    try {
      return await context.with(trace.setSpan(first, span), statement);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }
}

function linksTo(origins: readonly Context[]): Link[] {
  return origins
    .slice(0, MAX_LINKS)
    .map((origin) => trace.getSpanContext(origin))
    .filter((spanContext) => spanContext !== undefined)
    .map((spanContext) => ({ context: spanContext }));
}
