import type { BatchTracing } from './batch-tracing.js';

/** How large the batches of a batcher were. */
export interface BatchSizes {
  /** Upper bounds, inclusive; larger batches are counted behind the last. */
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
  /** How many calls travelled in all of them. */
  readonly sum: number;
}

/** A batcher as it is measured and traced. What it does and has done is read when it is asked for: no call pays for it. */
export interface BatcherStats {
  /** Calls that no statement serves yet. */
  readonly waiting: number;
  /** Beyond this many waiting calls the next one is refused. */
  readonly maxQueue: number;
  /** Statements under way. */
  readonly inFlight: number;
  /** How long ago the oldest call came that is not settled yet, in milliseconds; 0 where there is none. */
  readonly oldestCallMs: number;
  readonly sizes: BatchSizes;
  /** Set while its batches are traced. As long as they are not, a call pays for a comparison. */
  tracing: BatchTracing | undefined;
}
