/** The limits of one server. docs/operations.md has a table of what happens at each limit. */
export interface ServerLimits {
  /** Open connections. A further connection replaces an idle one. One request of each is served at a time. */
  readonly connections: number;
  /** Requests that have arrived on connections that still wait for an earlier response. */
  readonly waitingRequests: number;
  /** Bytes of responses that clients have not read, on all connections. Beyond the limit some connections are closed. */
  readonly unreadBytes: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  connections: 2_048,
  waitingRequests: 4_096,
  unreadBytes: 64 * 1024 ** 2,
};
