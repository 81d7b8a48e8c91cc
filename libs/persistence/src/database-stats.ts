import type pg from 'pg';
import { PooledClient } from './connections/pooled-client.js';
import { databaseErrorReason, NO_ERRORS } from './errors/database-errors.js';

/** Statistics of the access to the primary, for metrics. */
export class DatabaseStats {
  /** The number of errors by reason. Every reason is present, also with 0. */
  readonly errors = { ...NO_ERRORS };
  /** Statements that calls wait for, by their names. */
  readonly shared = new Map<string, { readonly waiting: number }>();
  private watched: pg.Pool | undefined;

  /** Ignores errors that do not concern the server. */
  readonly countError = (error: unknown): void => {
    const reason = databaseErrorReason(error);
    if (reason !== undefined) this.errors[reason] += 1;
  };

  /** To be called once with the pool of the primary, before it is used. */
  readonly watchPool = (pool: pg.Pool): void => {
    this.watched = pool;
    pool.on('connect', (client) => {
      if (client instanceof PooledClient) client.countError = this.countError;
    });
  };

  /** The numbers of connections; `undefined` before the first one and on the embedded database. */
  pool() {
    if (this.watched === undefined) return undefined;
    const { options, totalCount: total, idleCount: idle, waitingCount: waiting } = this.watched;
    return { max: options.max, total, idle, waiting };
  }

  /** The number of waiting calls by statement name. */
  waiting(): Readonly<Record<string, number>> {
    return Object.fromEntries(Array.from(this.shared, ([name, { waiting }]) => [name, waiting]));
  }
}
