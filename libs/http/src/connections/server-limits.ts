/** The limits of one server. docs/operations.md has a table of what happens at each limit. */
export interface ServerLimits {
  /** Open connections. A further connection replaces an idle one. */
  readonly connections: number;
  /**
   * Requests that are served at the same time, on all connections. The same number again may wait on connections that
   * pipeline.
   */
  readonly requests: number;
  /**
   * Requests of one connection that are served at the same time. Later requests wait, and nothing more is read
   * meanwhile.
   */
  readonly requestsPerConnection: number;
  /** Bytes of responses that clients have not read, on all connections. Beyond the limit some connections are closed. */
  readonly unreadBytes: number;
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  connections: 2_048,
  requests: 4_096,
  requestsPerConnection: 8,
  unreadBytes: 64 * 1024 ** 2,
};
