import { diag } from '@opentelemetry/api';
import { AlwaysOffSampler, AlwaysOnSampler, TraceIdRatioBasedSampler, type Sampler } from '@opentelemetry/sdk-trace';

/** The sampler by its name. The names and the default are those of the specification ("General SDK configuration"). */
export function samplerOf({ OTEL_TRACES_SAMPLER = '', OTEL_TRACES_SAMPLER_ARG = '' }: NodeJS.ProcessEnv): Sampler {
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
