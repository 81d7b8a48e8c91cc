import type { BatchTracing } from '@animal-store/persistence';
import type { Environment } from '../environment.js';

/** The settings of traces besides the standard variables. */
export type TracingSettings = Pick<Environment, 'TRUST_PROXY' | 'TRUST_TRACEPARENT'>;

/** Traces that have been started. */
export interface RunningTraces {
  readonly batches: BatchTracing;
  /** The id of the trace that the current code belongs to. */
  readonly currentTraceId: () => string | undefined;
  /** Sends the remaining spans. */
  stop(): Promise<void>;
}
