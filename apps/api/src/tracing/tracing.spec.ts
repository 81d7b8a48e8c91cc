import { tracingFaults, wantsTraces } from './tracing.js';

describe('traces', () => {
  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }],
    [{ OTEL_TRACES_EXPORTER: 'console' }],
  ])('are wanted with %p', (variables) => {
    expect(wantsTraces(variables)).toBe(true);
  });

  test.each([
    [{}],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    [{ OTEL_SERVICE_NAME: 'animal-store' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_EXPORTER: 'none' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_SDK_DISABLED: 'TRUE' }],
  ])('are not wanted with %p', (variables) => {
    expect(wantsTraces(variables)).toBe(false);
  });
});

describe('settings of traces', () => {
  const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http//collector' }],
    ['OTEL_TRACES_EXPORTER', { OTEL_TRACES_EXPORTER: 'otlp,jaeger' }],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http' }],
    ['OTEL_TRACES_SAMPLER', { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'sometimes' }],
    ['OTEL_TRACES_SAMPLER_ARG', { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '10%' }],
  ])('are refused for %s', (name, variables) => {
    expect(tracingFaults(variables)).toEqual([expect.stringMatching(new RegExp(`^${name} must be `))]);
  });

  test.each([
    [ENDPOINT],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
    [{ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }],
    [{ OTEL_TRACES_EXPORTER: 'otlp, console' }],
    [{ OTEL_TRACES_SAMPLER: 'sometimes' }],
  ])('are right, or without effect, with %p', (variables) => {
    expect(tracingFaults(variables)).toEqual([]);
  });
});
