import type pg from 'pg';
import type { BatcherStats } from './batching/batcher.js';
import { PooledClient } from './connections/pooled-client.js';
import { DatabaseErrorCounts, type DatabaseErrorReason } from './errors/database-errors.js';

/** The connections of the pool. */
export interface PoolStats {
  readonly max: number;
  readonly total: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
  /** The end of the certificate that the newest connection met, in seconds since 1970; `undefined` without TLS. */
  readonly certificateExpiry: number | undefined;
}

/** Statistics of the database access, for metrics. */
export class DatabaseStats {
  private readonly watched = new Map<string, BatcherStats>();

  /** The errors of the primary. */
  readonly errorCounts = new DatabaseErrorCounts();
  private primaryPool: pg.Pool | undefined;
  private certificateExpiry: number | undefined;

  /** Watches the connections to the primary. To be called once, before the pool is used. */
  watchPool(pool: pg.Pool): void {
    this.primaryPool = pool;
    pool.on('connect', (client) => {
      if (!(client instanceof PooledClient)) return;
      client.errors = this.errorCounts;
      this.certificateExpiry = client.certificateExpiry;
    });
  }

  /** The number of errors of the primary, by reason. */
  get errors(): Readonly<Record<DatabaseErrorReason, number>> {
    return this.errorCounts.all;
  }

  /** The batchers, by the name of their statement. */
  get batchers(): ReadonlyMap<string, BatcherStats> {
    return this.watched;
  }

  /** @param batchers by the name of their statement */
  watch(batchers: Readonly<Record<string, BatcherStats>>): void {
    for (const [name, batcher] of Object.entries(batchers)) this.watched.set(name, batcher);
  }

  /** The connections to the primary; `undefined` before the first one, and on the embedded database, which has no pool. */
  pool(): PoolStats | undefined {
    if (this.primaryPool === undefined) return undefined;
    const { options, totalCount: total, idleCount: idle, waitingCount: waiting } = this.primaryPool;
    return { max: options.max, total, idle, waiting, certificateExpiry: this.certificateExpiry };
  }
}
