import type { BatchTracing } from './batch-tracing.js';

/** The sizes of the batches of a batcher. */
export interface BatchSizes {
  /** Upper bounds, inclusive. Larger batches are counted after the last bound. */
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  /** The number of calls in all batches. */
  readonly sum: number;
}

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
  readonly sizes: BatchSizes;
  /** Set if batches are traced. Otherwise it costs each call one comparison. */
  tracing: BatchTracing | undefined;
}
