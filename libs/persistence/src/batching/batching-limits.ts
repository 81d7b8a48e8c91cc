/** How calls share round trips. */
export interface BatchingLimits {
  /** How many calls travel together at most. */
  readonly maxBatch: number;
  /** How many statements of one kind are under way at once at most. */
  readonly maxInFlight: number;
  /** How many calls of one kind may wait; the next one is refused. */
  readonly maxQueue: number;
  /**
   * How many waiting calls need not wait for the end of the turn of the event loop that brings more, while no statement is
   * under way: the database works on these meanwhile.
   */
  readonly flushThreshold: number;
  /**
   * How many turns of the event loop the next statement may wait at most, once a slow one is back, while each turn brings
   * more calls: those who were answered often call again at once.
   */
  readonly lingerTurns: number;
  /** From how many milliseconds on a statement is slow: dearer than the wait for more calls. */
  readonly lingerAfterMs: number;
  /** How long a call may wait for its statement to be sent, in milliseconds; then it fails as one too many would. */
  readonly maxWaitMs: number;
}

/** With the time limits of a connection and of a statement, this bounds how long any call takes. */
const MAX_WAIT_MS = 5_000;

/** Those who were answered together call again together: left until all of them are there, the database would idle. */
const DEPART_AT = 16;

/** Few statements under way gather more calls into each; two let one be prepared while the other is answered. */
export const READ_LIMITS: BatchingLimits = {
  maxBatch: 256,
  maxInFlight: 2,
  maxQueue: 10_000,
  flushThreshold: DEPART_AT,
  maxWaitMs: MAX_WAIT_MS,
  lingerTurns: 0,
  lingerAfterMs: 0,
};

/**
 * Additions commit one after the other anyway (ADR 0004), and to wait for a slow disk costs the same for one as for many.
 * A fast one is kept busy by every call that is there.
 */
export const WRITE_LIMITS: BatchingLimits = {
  maxBatch: 256,
  maxInFlight: 1,
  maxQueue: 10_000,
  flushThreshold: DEPART_AT,
  maxWaitMs: MAX_WAIT_MS,
  lingerTurns: 4,
  lingerAfterMs: 2,
};

/**
 * Anybody can make up keys that look right, so lookups may take one connection and leave the other to the rest. To find a few
 * rows by an index takes a moment: who waits for longer, waits behind a flood.
 */
export const KEY_LOOKUP_LIMITS: BatchingLimits = {
  maxBatch: 256,
  maxInFlight: 1,
  maxQueue: 1_000,
  flushThreshold: 256,
  maxWaitMs: 2_000,
  lingerTurns: 0,
  lingerAfterMs: 0,
};

/** As many may wait as keys are remembered: none of those need ever be refused. */
export const KEY_REFRESH_LIMITS: BatchingLimits = { ...KEY_LOOKUP_LIMITS, maxQueue: 10_000 };
