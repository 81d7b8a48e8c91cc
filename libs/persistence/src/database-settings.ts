/** What the database needs to know of requests, whatever they are. */
export interface Requests {
  /** The one that the current code works for: the same object for as long as it lasts. */
  current(): object | undefined;
  /** What a request is for: features share the connections fairly. */
  featureOf(request: object): string;
}

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
  /** Folders with migrations beside those of the libraries: whole paths. */
  readonly migrations?: readonly string[] | undefined;
  /** Without it there is no entity manager of a request, and all that is done counts as one feature. */
  readonly requests?: Requests | undefined;
}
