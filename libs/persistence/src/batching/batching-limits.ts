/** The limits by which calls share statements. */
export interface BatchingLimits {
  /** The maximum number of calls in one statement. */
  readonly maxBatch: number;
  /** The maximum number of statements of one kind in flight. */
  readonly maxInFlight: number;
  /** The maximum number of waiting calls of one kind. More calls are refused. */
  readonly maxQueue: number;
  /**
   * The number of waiting calls that are sent at once, before the end of the turn of the event loop, if no statement is in flight.
   * The database then already works while the turn brings more calls.
   */
  readonly flushThreshold: number;
  /** The number of waiting calls that are sent by another statement beside those in flight. Fewer calls wait for the end of one. */
  readonly overlapThreshold: number;
  /** How long a call waits at most for a statement in flight, in milliseconds, before another statement is sent beside it. */
  readonly patienceMs: number;
  /**
   * After a slow statement, the maximum number of turns of the event loop for which the next statement waits while each turn
   * brings more calls. Clients that got a response often send a new request at once.
   */
  readonly lingerTurns: number;
  /** The duration from which a statement is slow, in milliseconds: it then costs more than the wait for more calls. */
  readonly lingerAfterMs: number;
  /**
   * How long a call may wait for its statement to be sent, in milliseconds. If it has waited longer when a statement ends and the
   * next one is made, it fails with an `OverloadedError`.
   */
  readonly maxWaitMs: number;
}

/** Together with the time limits of a connection and of a statement, this limits the duration of a call. */
const MAX_WAIT_MS = 5_000;

/** Clients that got responses together send new requests together. If all were awaited, the database would be idle. */
const FLUSH_THRESHOLD = 16;

/** For fewer calls a second statement would cost more than it gains: 5 % of the gets of 32 clients. */
const OVERLAP_THRESHOLD = 32;

/** Longer than a fast statement takes, also on a busy machine. */
const PATIENCE_MS = 5;

/** With few statements in flight each serves more calls. The second is for many calls, and for those behind a slow statement. */
export const READ_LIMITS: BatchingLimits = {
  maxBatch: 256,
  maxInFlight: 2,
  maxQueue: 10_000,
  flushThreshold: FLUSH_THRESHOLD,
  overlapThreshold: OVERLAP_THRESHOLD,
  patienceMs: PATIENCE_MS,
  maxWaitMs: MAX_WAIT_MS,
  lingerTurns: 0,
  lingerAfterMs: 0,
};

/**
 * Additions commit one after the other anyway (ADR 0004), and a commit to a slow disk takes the same time for one row as for
 * many. With a fast disk the next statement does not wait.
 */
export const WRITE_LIMITS: BatchingLimits = {
  maxBatch: 256,
  maxInFlight: 1,
  maxQueue: 10_000,
  flushThreshold: FLUSH_THRESHOLD,
  overlapThreshold: OVERLAP_THRESHOLD,
  patienceMs: PATIENCE_MS,
  maxWaitMs: MAX_WAIT_MS,
  lingerTurns: 4,
  lingerAfterMs: 2,
};

/**
 * Attackers can make up well-formed keys, so their lookups may use only one of the two connections. A lookup by an index is fast:
 * a long wait means that there is a flood of lookups.
 */
export const KEY_LOOKUP_LIMITS: BatchingLimits = {
  maxBatch: 256,
  maxInFlight: 1,
  maxQueue: 1_000,
  flushThreshold: 256,
  overlapThreshold: OVERLAP_THRESHOLD,
  patienceMs: PATIENCE_MS,
  maxWaitMs: 2_000,
  lingerTurns: 0,
  lingerAfterMs: 0,
};

/** As many calls may wait as keys are cached (`ApiKeyCache`), so no refresh is ever refused. */
export const KEY_REFRESH_LIMITS: BatchingLimits = { ...KEY_LOOKUP_LIMITS, maxQueue: 10_000 };
