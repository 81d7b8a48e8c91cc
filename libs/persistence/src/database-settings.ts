/** Which database to use. */
export interface DatabaseSettings {
  /**
   * A PostgreSQL server, as `postgresql://user:password@host:port/name?sslmode=…`. Without it the embedded database is used.
   */
  readonly url?: string | undefined;
  /** Standbys of that server, to read from; in the form of `url`. */
  readonly replicaUrls?: readonly string[] | undefined;
  /** The folder of the embedded database. */
  readonly dataDir: string;
  /** How many connections to the server are open at most. */
  readonly poolSize: number;
  /** Whether statements keep their names on a connection; not so behind a PgBouncer that cannot follow them. */
  readonly preparedStatements: boolean;
  /** Whether statements go out as queries of our own, which ask `pg` and PostgreSQL for less. By default they do. */
  readonly extendedQuery?: boolean | undefined;
}
