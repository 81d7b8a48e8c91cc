import type { BatchTracing } from './batch-tracing.js';

/** The measurements and the tracing of a batcher. Values are computed when they are read, so they cost calls nothing. */
export interface BatcherStats {
  /** The number of calls that wait for a statement. */
  readonly waiting: number;
  /** If this many calls wait, more calls are refused. */
  readonly maxQueue: number;
  /** The number of statements in flight. */
  readonly inFlight: number;
  /** The age of the oldest unsettled call, in milliseconds; 0 if there is none. */
  readonly oldestCallMs: number;
  /** Set if batches are traced. Otherwise it costs each call one comparison. */
  tracing: BatchTracing | undefined;
  /** Set if batches are measured: called with the number of calls of each statement. */
  onBatch: ((calls: number) => void) | undefined;
}
