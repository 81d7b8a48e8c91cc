import type pg from 'pg';
import { PooledClient } from './connections/pooled-client.js';
import { databaseErrorReason, NO_ERRORS } from './errors/database-errors.js';

/** Statistics of the access to the primary, for metrics. */
export class DatabaseStats {
  /** The number of errors by reason, also where it is 0. */
  readonly errors = { ...NO_ERRORS };
  /** Statements that calls wait for, by their names. */
  readonly shared = new Map<string, { readonly waiting: number }>();
  private watched: pg.Pool | undefined;
  private certificateExpiry: number | undefined;

  /** Counts an error of the primary. Those that do not concern the server are not counted. */
  readonly countError = (error: unknown): void => {
    const reason = databaseErrorReason(error);
    if (reason !== undefined) this.errors[reason] += 1;
  };

  /** Watches the connections to the primary. To be called once, before the pool is used. */
  readonly watchPool = (pool: pg.Pool): void => {
    this.watched = pool;
    pool.on('connect', (client) => {
      if (!(client instanceof PooledClient)) return;
      client.countError = this.countError;
      this.certificateExpiry = client.certificateExpiry;
    });
  };

  /**
   * The connections of the pool, and the end of the certificate that the newest one met, in seconds since 1970, if it has TLS.
   * `undefined` before the first connection, and on the embedded database, which has no pool.
   */
  pool() {
    if (this.watched === undefined) return undefined;
    const { options, totalCount: total, idleCount: idle, waitingCount: waiting } = this.watched;
    return { max: options.max, total, idle, waiting, certificateExpiry: this.certificateExpiry };
  }

  /** The number of calls that wait, by the name of their statement. */
  waiting(): Readonly<Record<string, number>> {
    return Object.fromEntries(Array.from(this.shared, ([name, { waiting }]) => [name, waiting]));
  }
}
