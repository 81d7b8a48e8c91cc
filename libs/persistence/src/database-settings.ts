/** Which database to use. */
export interface DatabaseSettings {
  /** A PostgreSQL server, as `postgresql://user:password@host:port/name`. Without it the embedded database is used. */
  readonly url?: string | undefined;
  /** The folder of the embedded database. */
  readonly dataDir: string;
  /** How many connections to the server are open at most. */
  readonly poolSize: number;
}
