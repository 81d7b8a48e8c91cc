/** What this library needs to know about requests. It does not know HTTP. */
export interface Requests {
  /** The current request; the same object for the whole request. */
  current(): object | undefined;
}

/** The database to use, and how. */
export interface DatabaseSettings {
  /**
   * A PostgreSQL server, as `postgresql://user:password@host:port/name?sslmode=…`. Without it the embedded database is used.
   */
  readonly url?: string | undefined;
  /** The read-only address of the server's cluster, for lists and gets; in the form of `url`. */
  readonly readUrl?: string | undefined;
  /** The folder of the embedded database. */
  readonly dataDir: string;
  /** The maximum number of connections to the server. */
  readonly poolSize: number;
  /** Whether statements are prepared. Set `false` behind a PgBouncer that pools by transaction. */
  readonly preparedStatements: boolean;
  /** Absolute paths of folders with migrations, in addition to those of the libraries. */
  readonly migrations?: readonly string[] | undefined;
  /** Without it requests have no entity managers. */
  readonly requests?: Requests | undefined;
}
