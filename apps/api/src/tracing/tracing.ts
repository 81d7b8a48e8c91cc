import type { RunningTraces } from './open-telemetry.js';

/** Traces with OpenTelemetry. They belong to the process and not to an application, and so does this state. */
let running: RunningTraces | undefined;

/** Whether the standard variables of OpenTelemetry enable traces. */
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
 * Starts tracing if the environment enables it. Must be awaited before the application is imported, because modules are
 * instrumented while they load. Without traces, the SDK is not loaded.
 */
export async function startTracing(variables: NodeJS.ProcessEnv): Promise<void> {
  if (!wantsTraces(variables)) return;
  const { startSdk } = await import('./open-telemetry.js');
  running = startSdk(variables);
}

/** `undefined` if tracing is off. */
export function runningTraces(): RunningTraces | undefined {
  return running;
}
