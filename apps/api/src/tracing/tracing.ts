import type { RunningTraces, TracingSettings } from './running-traces.js';

/** Traces by OpenTelemetry. They belong to the process, not to an application: so does what is kept here. */
let running: RunningTraces | undefined;

/** Whether the standard variables of OpenTelemetry ask for traces. */
export function wantsTraces(variables: NodeJS.ProcessEnv): boolean {
  const { OTEL_SDK_DISABLED, OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } =
    variables;
  if (OTEL_SDK_DISABLED?.toLowerCase() === 'true' || OTEL_TRACES_EXPORTER === 'none') return false;
  // An empty variable counts as unset.
  return [OTEL_TRACES_EXPORTER, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT].some(
    (value) => value !== undefined && value !== '',
  );
}

/**
 * Starts tracing where the environment asks for it. To be awaited before the application is imported, as modules are
 * instrumented while they load. Without traces, the SDK is not loaded.
 */
export async function startTracing(variables: NodeJS.ProcessEnv, settings: TracingSettings): Promise<void> {
  if (!wantsTraces(variables)) return;
  const { startSdk } = await import('./open-telemetry.js');
  running = startSdk(variables, settings);
}

/** `undefined` while nothing is traced. */
export function runningTraces(): RunningTraces | undefined {
  return running;
}
