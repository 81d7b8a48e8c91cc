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

const EXPORTERS = ['otlp', 'console', 'zipkin', 'none'];

const PROTOCOLS = ['grpc', 'http/protobuf', 'http/json'];

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'].flatMap((name) => [name, `parentbased_${name}`]);

/** The faults of the standard variables. The SDK would ignore such a value, and send its traces nowhere or send too many. */
export function tracingFaults(variables: NodeJS.ProcessEnv): string[] {
  if (!wantsTraces(variables)) return [];
  const valueOf = (name: string): string => variables[name]?.trim() ?? '';
  const protocol = valueOf('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') || valueOf('OTEL_EXPORTER_OTLP_PROTOCOL');
  const faults = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
    .filter((name) => protocol !== 'grpc' && !isAddress(valueOf(name)))
    .map((name) => `${name} must be an http or https address such as http://collector:4318`);
  const check = (name: string, known: readonly string[], values = [valueOf(name)]): void => {
    if (!values.every((value) => value === '' || known.includes(value)))
      faults.push(`${name} must be one of ${known.join(', ')}`);
  };
  const exporters = valueOf('OTEL_TRACES_EXPORTER').split(',');
  check(
    'OTEL_TRACES_EXPORTER',
    EXPORTERS,
    exporters.map((name) => name.trim()),
  );
  check('OTEL_EXPORTER_OTLP_PROTOCOL', PROTOCOLS);
  check('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', PROTOCOLS);
  check('OTEL_TRACES_SAMPLER', SAMPLERS);
  const ratio = Number(valueOf('OTEL_TRACES_SAMPLER_ARG'));
  if (valueOf('OTEL_TRACES_SAMPLER').endsWith('traceidratio') && !(ratio >= 0 && ratio <= 1))
    faults.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  return faults;
}

function isAddress(text: string): boolean {
  return text === '' || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));
}

/**
 * Starts tracing if the environment enables it. Must be awaited before the application is imported, because modules are
 * instrumented while they load. Without traces, or with settings that are refused later, the SDK is not loaded.
 */
export async function startTracing(variables: NodeJS.ProcessEnv): Promise<void> {
  if (!wantsTraces(variables) || tracingFaults(variables).length > 0) return;
  const { startSdk } = await import('./open-telemetry.js');
  running = startSdk(variables);
}

/** `undefined` if tracing is off. */
export function runningTraces(): RunningTraces | undefined {
  return running;
}
