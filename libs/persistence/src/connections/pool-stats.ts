/** Measurements of a feature's connections. */
export interface ShareStats {
  /** Empty for work outside of requests. */
  readonly feature: string;
  readonly held: number;
  readonly waiting: number;
}

/** The connections of the pool. */
export interface PoolStats {
  readonly max: number;
  readonly total: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
  /** The duration of the longest current wait for a connection of the pool or of a feature's share; 0 if there is none. */
  readonly oldestWaitMs: number;
  /** The number of connections that a feature may hold. */
  readonly shareLimit: number;
  /** All features that hold a connection. */
  readonly shares: readonly ShareStats[];
}
