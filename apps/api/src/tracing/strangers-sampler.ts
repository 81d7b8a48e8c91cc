import { ROOT_CONTEXT, type Context } from '@opentelemetry/api';
import { RandomIdGenerator, type Sampler, type SamplingResult } from '@opentelemetry/sdk-trace';

type Decision = Parameters<Sampler['shouldSample']>;

/**
 * Samples a request that brings a trace like a request that brings none. Otherwise a client could force or prevent the
 * export of its traces: with the flag of `traceparent`, or with the trace id, which it chooses and on which a ratio
 * depends. The trace keeps its id.
 */
export class StrangersSampler implements Sampler {
  private readonly ids = new RandomIdGenerator();

  constructor(private readonly own: Sampler) {}

  shouldSample(_parent: Context, _traceId: string, ...[name, kind, attributes, links]: Tail<Decision>): SamplingResult {
    return this.own.shouldSample(ROOT_CONTEXT, this.ids.generateTraceId(), name, kind, attributes, links);
  }

  toString(): string {
    return `Strangers{${this.own.toString()}}`;
  }
}

type Tail<List extends unknown[]> = List extends [unknown, unknown, ...infer Rest] ? Rest : never;
