/** How much one server takes on at a time. Beyond a bound nobody else is affected: docs/operations.md has the table. */
export interface ServerLimits {
  /** Open connections. One more takes the place of one that is idle. */
  readonly connections: number;
  /** Requests that are served at a time, of all connections. As many more may wait on connections that pipeline. */
  readonly requests: number;
  /** Requests of one connection that are served at a time; those behind them wait, and no more is read meanwhile. */
  readonly requestsPerConnection: number;
  /** Bytes of answers that clients were sent and have not read, of all connections. Where it is more, some are closed. */
  readonly unreadBytes: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  connections: 2_048,
  requests: 4_096,
  requestsPerConnection: 8,
  unreadBytes: 64 * 1024 ** 2,
};
