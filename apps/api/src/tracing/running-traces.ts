import type { BatchTracing } from '@animal-store/persistence';
import type { Environment } from '../environment.js';

/** What traces follow beside the standard variables. */
export type TracingSettings = Pick<Environment, 'TRUST_PROXY' | 'TRUST_TRACEPARENT'>;

/** Traces that have been started. */
export interface RunningTraces {
  readonly batches: BatchTracing;
  /** The id of the trace that the current code belongs to. */
  readonly currentTraceId: () => string | undefined;
  /** Sends what was not sent yet. */
  stop(): Promise<void>;
}
