import { context, SpanStatusCode, trace, type Context } from '@opentelemetry/api';
import type { BatchTracing } from '@animal-store/persistence';
import { linksTo } from './span-links.js';

/**
 * One statement serves many requests, but a span has only one parent. It belongs to the trace of the first request, and
 * links to the others (OpenTelemetry specification, "Links between spans").
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
