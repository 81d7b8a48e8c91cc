/** How calls share round trips. */
export interface BatchingLimits {
  /** How many calls travel together at most. */
  readonly maxBatch: number;
  /** How many statements of one kind are under way at once at most. */
  readonly maxInFlight: number;
  /** How many calls of one kind may wait; the next one is refused. */
  readonly maxQueue: number;
}

/** Few statements under way gather more calls into each; two let one be prepared while the other is answered. */
export const READ_LIMITS: BatchingLimits = { maxBatch: 256, maxInFlight: 2, maxQueue: 10_000 };

/** Additions commit one after the other anyway (ADR 0004). */
export const WRITE_LIMITS: BatchingLimits = { maxBatch: 256, maxInFlight: 1, maxQueue: 10_000 };
