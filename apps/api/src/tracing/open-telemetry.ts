import type { IncomingMessage } from 'node:http';
import { register } from 'node:module';
import { diag, DiagLogLevel, trace, type Attributes, type DiagLogger, type Span } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { NodeSDK } from '@opentelemetry/sdk-node';
import type { Logger } from 'pino';
import { hideApiKeys } from '@animal-store/auth';
import { clientAddress, loggedPath } from '../logging/request-log.js';

/** Traces that have been started. */
export interface RunningTraces {
  /** The id of the trace that the current code belongs to. */
  readonly currentTraceId: () => string | undefined;
  /** Logs the problems of the SDK from now on, and those until now. */
  reportTo(log: Logger): void;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}

const SERVICE_NAME = 'animal-store';

/** Strings, whose quotes are doubled, and numbers, except the number of a parameter and digits in a name. */
const LITERALS = /'(?:[^']|'')*'|(?<![\w$])[0-9]+(?:\.[0-9]+)?(?!\w)/g;

/** Starts the SDK, which reads the standard variables itself. Imports nothing that loads the driver. */
export function startSdk(variables: NodeJS.ProcessEnv): RunningTraces {
  const { OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES } = variables;
  const trustsProxy = (variables['TRUST_PROXY'] ?? '') !== '';
  // Without it, a value of an attribute has no limit, although clients choose some of them.
  if ((variables['OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT'] ?? '') === '')
    variables['OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT'] = '4096';
  // Without this hook, ES modules are not instrumented.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the hook speaks the older interface of Node alone
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  const named = OTEL_SERVICE_NAME !== undefined || OTEL_RESOURCE_ATTRIBUTES?.includes('service.name=') === true;
  const sdk = new NodeSDK({
    ...(!named && { serviceName: SERVICE_NAME }),
    // Prometheus has the metrics, and logs go to standard output.
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: ({ url }) =>
          url?.startsWith('/health/') === true || url?.startsWith('/metrics') === true,
        disableOutgoingRequestInstrumentation: true,
        startIncomingSpanHook: (request) => requestAttributes(request, trustsProxy),
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
  // Without it, the SDK keeps its problems to itself, such as an unknown sampler or a collector that does not respond.
  const problems = new SdkProblems();
  const level = (variables['OTEL_LOG_LEVEL'] ?? '').toUpperCase();
  const levels: Record<string, unknown> = DiagLogLevel;
  diag.setLogger(problems, {
    logLevel: level in levels ? (levels[level] as DiagLogLevel) : DiagLogLevel.WARN,
    suppressOverrideMessage: true,
  });
  sdk.start();
  return {
    reportTo: (log) => {
      problems.reportTo(log);
    },
    currentTraceId: () => trace.getActiveSpan()?.spanContext().traceId,
    stop: () => sdk.shutdown(),
  };
}

/** What the SDK reports about itself. It starts before there is a log, so its first problems wait for one. */
class SdkProblems implements DiagLogger {
  private log: Logger | undefined;
  private readonly early: ['error' | 'warn' | 'info' | 'debug' | 'trace', string][] = [];

  readonly error = (problem: string) => {
    this.report('error', problem);
  };
  readonly warn = (problem: string) => {
    this.report('warn', problem);
  };
  readonly info = (problem: string) => {
    this.report('info', problem);
  };
  readonly debug = (problem: string) => {
    this.report('debug', problem);
  };
  readonly verbose = (problem: string) => {
    this.report('trace', problem);
  };

  reportTo(log: Logger): void {
    this.log = log;
    for (const [level, problem] of this.early.splice(0)) this.report(level, problem);
  }

  private report(level: (typeof this.early)[number][0], problem: string): void {
    if (this.log === undefined) this.early.push([level, problem]);
    else this.log[level]({ context: 'Traces' }, messageOf(problem));
  }
}

/** The SDK reports an error as JSON, with its stack. */
function messageOf(problem: string): string {
  try {
    return (JSON.parse(problem) as { message?: string }).message ?? problem;
  } catch {
    return problem;
  }
}

/**
 * The attributes of a request's span, which replace those of the instrumentation: like the log, no query and no key,
 * and headers of proxies only if they are trusted.
 */
function requestAttributes(request: IncomingMessage, trustsProxy: boolean): Attributes {
  return {
    'url.path': loggedPath(request.url ?? ''),
    'url.query': undefined,
    'client.address': clientAddress(request, trustsProxy),
    'user_agent.original': hideApiKeys(request.headers['user-agent']?.slice(0, 256) ?? ''),
  };
}

/**
 * A statement with `?` instead of its literals. The ORM writes values into the text of its queries, including the hash
 * of the API key.
 */
export function statementText(sql: string): string {
  return sql.replace(LITERALS, '?');
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
