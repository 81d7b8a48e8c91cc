import { diag, ROOT_CONTEXT, type Context } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  type Sampler,
  type SamplingResult,
} from '@opentelemetry/sdk-trace';

type Decision = Parameters<Sampler['shouldSample']>;

/**
 * Samples a request that brings a trace like a request that brings none. Otherwise a client could force or prevent the
 * export of its traces: with the flag of `traceparent`, or with the trace id, which it chooses and on which a ratio
 * depends. The trace keeps its id.
 */
class StrangersSampler implements Sampler {
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

/**
 * Samples as `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` say, and ignores the decision of callers. The decision
 * of a caller is followed only with the SDK's own samplers (`TRUST_TRACEPARENT=true`).
 */
export function ownSampler(variables: NodeJS.ProcessEnv): Sampler {
  const own = samplerOf(variables);
  const remote = new StrangersSampler(own);
  return new ParentBasedSampler({ root: own, remoteParentSampled: remote, remoteParentNotSampled: remote });
}

/** The names and the default are those of the specification ("General SDK configuration"). */
function samplerOf({ OTEL_TRACES_SAMPLER = '', OTEL_TRACES_SAMPLER_ARG = '' }: NodeJS.ProcessEnv): Sampler {
  switch (OTEL_TRACES_SAMPLER.trim().replace(/^parentbased_/, '')) {
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratioOf(OTEL_TRACES_SAMPLER_ARG));
    case 'always_on':
    case '':
      return new AlwaysOnSampler();
    default:
      diag.error(`OTEL_TRACES_SAMPLER is unknown: every trace is sampled`);
      return new AlwaysOnSampler();
  }
}

function ratioOf(text: string): number {
  const ratio = text.trim() === '' ? NaN : Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  diag.error('OTEL_TRACES_SAMPLER_ARG is no number between 0 and 1: every trace is sampled');
  return 1;
}
