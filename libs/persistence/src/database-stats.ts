import type pg from 'pg';
import { PooledClient } from './connections/pooled-client.js';
import { DatabaseErrorCounts } from './errors/database-errors.js';

/** The connections of the pool, and the end of the certificate that the newest one met, in seconds since 1970, if it has TLS. */
interface PoolStats extends Readonly<Record<'max' | 'total' | 'idle' | 'waiting', number>> {
  readonly certificateExpiry: number | undefined;
}

/** Statistics of the access to the primary, for metrics. */
export class DatabaseStats {
  readonly errorCounts = new DatabaseErrorCounts();
  /** The number of errors by reason. */
  readonly errors = this.errorCounts.all;
  /** Statements that calls wait for, by their names. */
  readonly shared = new Map<string, { readonly waiting: number }>();
  /** `undefined` before the first connection, and on the embedded database, which has no pool. */
  pool: () => PoolStats | undefined = () => undefined;

  /** Watches the connections to the primary. To be called once, before the pool is used. */
  readonly watchPool = (pool: pg.Pool): void => {
    let certificateExpiry: number | undefined;
    pool.on('connect', (client) => {
      if (!(client instanceof PooledClient)) return;
      client.errors = this.errorCounts;
      ({ certificateExpiry } = client);
    });
    this.pool = () => {
      const { options, totalCount: total, idleCount: idle, waitingCount: waiting } = pool;
      return { max: options.max, total, idle, waiting, certificateExpiry };
    };
  };

  /** The number of calls that wait, by the name of their statement. */
  waiting(): Readonly<Record<string, number>> {
    return Object.fromEntries(Array.from(this.shared, ([name, { waiting }]) => [name, waiting]));
  }
}
