/** The limits by which calls share statements. */
export interface BatchingLimits {
  /** The maximum number of calls in one statement. */
  readonly maxBatch: number;
  /** The maximum number of statements of one kind in flight. Of those only one is not slow. */
  readonly maxInFlight: number;
  /** The duration from which a statement is slow, in milliseconds: others then no longer wait for it. */
  readonly slowMs: number;
  /** The maximum number of waiting calls of one kind. More calls are refused. */
  readonly maxQueue: number;
  /**
   * How long a call may wait for its statement to be sent, in milliseconds. If it has waited longer when it is taken from the
   * queue, it fails with an `OverloadedError`.
   */
  readonly maxWaitMs: number;
}

/** Longer than a fast statement takes, also on a busy machine. */
const SLOW_MS = 20;

/** Together with the time limits of a connection and of a statement, `maxWaitMs` limits the duration of a call. */
export const READ_LIMITS: BatchingLimits = {
  maxBatch: 256,
  maxInFlight: 2,
  slowMs: SLOW_MS,
  maxQueue: 10_000,
  maxWaitMs: 5_000,
};

/** Additions to a table commit one after the other anyway (ADR 0004). */
export const WRITE_LIMITS: BatchingLimits = { ...READ_LIMITS, maxInFlight: 1 };

/**
 * Attackers can make up well-formed keys, so their lookups may use only one connection. A lookup by an index is fast: a long wait
 * means that there is a flood of lookups.
 */
export const KEY_LOOKUP_LIMITS: BatchingLimits = { ...READ_LIMITS, maxInFlight: 1, maxQueue: 1_000, maxWaitMs: 2_000 };

/** As many calls may wait as keys are cached (`ApiKeyCache`), so no refresh is ever refused. */
export const KEY_REFRESH_LIMITS: BatchingLimits = { ...KEY_LOOKUP_LIMITS, maxQueue: 10_000 };
