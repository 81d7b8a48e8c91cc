import { wantsTraces } from './tracing.js';

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
