/** The state of a replica. */
export interface ReplicaStats {
  /** As `host:port`. */
  readonly name: string;
  /** Whether reads use it. */
  readonly serving: boolean;
  /** The age of the oldest change that it does not show, in milliseconds; `undefined` before the first poll. */
  readonly lagMs: number | undefined;
}
