import type { IncomingMessage } from 'node:http';
import { register } from 'node:module';
import { trace, type Span } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { LinkedBatches } from './linked-batches.js';
import { ownSampler } from './own-sampling.js';
import type { RunningTraces, TracingSettings } from './running-traces.js';
import { requestAttributes, statementText } from './span-contents.js';

const SERVICE_NAME = 'animal-store';

/**
 * The maximum length of an attribute's value, unless the environment sets another one: clients choose some of the
 * values.
 */
const MAX_VALUE_LENGTH = 4_096;

/** Starts the SDK, which reads the standard variables itself. Imports nothing that loads the driver. */
export function startSdk(
  variables: NodeJS.ProcessEnv,
  { TRUST_PROXY, TRUST_TRACEPARENT }: TracingSettings,
): RunningTraces {
  const { OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES } = variables;
  // Without this hook, ES modules are not instrumented.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the hook speaks the older interface of Node alone
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  const named = OTEL_SERVICE_NAME !== undefined || OTEL_RESOURCE_ATTRIBUTES?.includes('service.name=') === true;
  const sdk = new NodeSDK({
    ...(!named && { serviceName: SERVICE_NAME }),
    // Prometheus has the metrics, and logs go to standard output.
    metricReaders: [],
    logRecordProcessors: [],
    ...(!TRUST_TRACEPARENT && { sampler: ownSampler(variables) }),
    ...(!limitsValues(variables) && { spanLimits: { attributeValueLengthLimit: MAX_VALUE_LENGTH } }),
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: ({ url }) =>
          url?.startsWith('/health/') === true || url?.startsWith('/metrics') === true,
        disableOutgoingRequestInstrumentation: true,
        startIncomingSpanHook: (request) => requestAttributes(request, TRUST_PROXY !== undefined),
        applyCustomAttributesOnSpan: (span, request) => {
          nameAfterRoute(span, request as IncomingMessage);
        },
      }),
      // Statements without a request, such as those of a health check, belong to no trace.
      new PgInstrumentation({
        requireParentSpan: true,
        requestHook: (span, { query }) => {
          if (span.isRecording()) span.setAttribute('db.query.text', statementText(query.text));
        },
      }),
    ],
  });
  sdk.start();
  return {
    batches: new LinkedBatches(),
    currentTraceId: () => trace.getActiveSpan()?.spanContext().traceId,
    stop: () => sdk.shutdown(),
  };
}

function limitsValues(variables: NodeJS.ProcessEnv): boolean {
  return ['OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT', 'OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT'].some(
    (name) => (variables[name] ?? '') !== '',
  );
}

/**
 * The route is known only after the request was served. A name with a petId would make as many names as there are pets.
 */
function nameAfterRoute(span: Span, request: IncomingMessage): void {
  const path = (request as { readonly route?: { readonly path?: unknown } }).route?.path;
  if (typeof path !== 'string' || path.includes('*')) return;
  span.setAttribute('http.route', path);
  span.updateName(`${request.method ?? ''} ${path}`);
}
