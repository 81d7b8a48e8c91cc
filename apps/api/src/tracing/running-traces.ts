import type { BatchTracing } from '@animal-store/persistence';

/** Traces that have been started. */
export interface RunningTraces {
  readonly batches: BatchTracing;
  /** Sends what was not sent yet. */
  stop(): Promise<void>;
}
