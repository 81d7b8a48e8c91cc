export interface InactivityLimits {
  /** The time without any traffic after which a connection is closed, in milliseconds. */
  readonly afterMs: number;
  /** The interval between two checks, in milliseconds: a connection may be closed this much later. */
  readonly checkMs: number;
}

/**
 * More than the 60 s after which load balancers drop an idle connection, so that they never send on a connection that
 * was just closed here; and longer than any response takes to begin.
 */
export const INACTIVITY: InactivityLimits = { afterMs: 65_000, checkMs: 2_500 };
