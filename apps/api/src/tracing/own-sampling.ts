import { ParentBasedSampler, type Sampler } from '@opentelemetry/sdk-trace';
import { samplerOf } from './named-sampler.js';
import { StrangersSampler } from './strangers-sampler.js';

/**
 * Samples as `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG` say, and ignores the decision of callers. The decision
 * of a caller is followed only with the SDK's own samplers (`TRUST_TRACEPARENT=true`).
 */
export function ownSampler(variables: NodeJS.ProcessEnv): Sampler {
  const own = samplerOf(variables);
  const remote = new StrangersSampler(own);
  return new ParentBasedSampler({ root: own, remoteParentSampled: remote, remoteParentNotSampled: remote });
}
