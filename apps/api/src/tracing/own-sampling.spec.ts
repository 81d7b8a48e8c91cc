import { ROOT_CONTEXT, SpanKind, trace, TraceFlags, type Context } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { ownSampler } from './own-sampling.js';

/** Of all trace ids, ratios sample the first before any other. */
const FIRST_ID = `${'0'.repeat(31)}1`;

function contextWith(isRemote: boolean, traceFlags: TraceFlags): Context {
  return trace.setSpanContext(ROOT_CONTEXT, { traceId: FIRST_ID, spanId: '1'.repeat(16), traceFlags, isRemote });
}

/** How many of 1,000 requests in this context are sampled. */
function sampledOf(variables: Record<string, string>, context: Context): number {
  const sampler = ownSampler(variables);
  const sampled = (_: unknown, index: number) =>
    sampler.shouldSample(
      context,
      context === ROOT_CONTEXT ? (index + 1).toString(16).padStart(8, '0').repeat(4) : FIRST_ID,
      'GET',
      SpanKind.SERVER,
      {},
      [],
    ).decision === SamplingDecision.RECORD_AND_SAMPLED;
  return Array.from({ length: 1_000 }, sampled).filter(Boolean).length;
}

describe('a trace that a stranger brings', () => {
  const NONE = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };

  test.each([
    NONE,
    { ...NONE, OTEL_TRACES_SAMPLER: 'traceidratio' },
    { OTEL_TRACES_SAMPLER: 'parentbased_always_off' },
  ])('is not sampled with %p, whatever he says of it', (variables) => {
    expect(sampledOf(variables, contextWith(true, TraceFlags.SAMPLED))).toBe(0);
  });

  test.each([{}, { OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, { OTEL_TRACES_SAMPLER: 'always_on' }])(
    'is sampled with %p, whatever he says of it',
    (variables) => {
      expect(sampledOf(variables, contextWith(true, TraceFlags.NONE))).toBe(1_000);
    },
  );

  test('is sampled as often as the ratio says, whatever id he chose', () => {
    const half = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' };
    const sampled = sampledOf(half, contextWith(true, TraceFlags.SAMPLED));
    expect(sampled).toBeGreaterThan(400);
    expect(sampled).toBeLessThan(600);
  });
});

describe('a span of this process', () => {
  test.each([TraceFlags.SAMPLED, TraceFlags.NONE])('is sampled as its parent in this process: %i', (flags) => {
    expect(sampledOf({ OTEL_TRACES_SAMPLER: 'always_on' }, contextWith(false, flags))).toBe(flags * 1_000);
  });

  test.each(['', '2', '-1', 'half'])('that begins a trace is sampled where the ratio is %p', (ratio) => {
    const variables = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: ratio };
    expect(sampledOf(variables, ROOT_CONTEXT)).toBe(1_000);
  });
});
