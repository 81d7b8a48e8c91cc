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

/** How long the value of an attribute may be, unless the environment says otherwise: clients choose what some hold. */
const MAX_VALUE_LENGTH = 4_096;

/** Starts the SDK, which reads the standard variables itself. Imports nothing that leads to the driver. */
export function startSdk(
  variables: NodeJS.ProcessEnv,
  { TRUST_PROXY, TRUST_TRACEPARENT }: TracingSettings,
): RunningTraces {
  const { OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES } = variables;
  // Without this hook, what is imported as an ES module is not instrumented.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the hook speaks the older interface of Node alone
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  const named = OTEL_SERVICE_NAME !== undefined || OTEL_RESOURCE_ATTRIBUTES?.includes('service.name=') === true;
  const sdk = new NodeSDK({
    ...(!named && { serviceName: SERVICE_NAME }),
    // Metrics are Prometheus's, and logs go to standard output.
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
      // Statements that belong to no request, as those of a health check, are none of a trace.
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

/** The route is known once the request was served: names with a petId in them would be as many as pets. */
function nameAfterRoute(span: Span, request: IncomingMessage): void {
  const path = (request as { readonly route?: { readonly path?: unknown } }).route?.path;
  if (typeof path !== 'string' || path.includes('*')) return;
  span.setAttribute('http.route', path);
  span.updateName(`${request.method ?? ''} ${path}`);
}
