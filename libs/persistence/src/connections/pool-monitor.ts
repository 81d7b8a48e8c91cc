import type pg from 'pg';
import type { DatabaseErrorCounts } from '../errors/database-errors.js';
import type { FairShares, ShareStats } from './fair-shares.js';
import { PooledClient } from './pooled-client.js';

/** The connections of the pool. */
export interface PoolStats {
  readonly max: number;
  readonly total: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
  /** The duration of the longest current wait for a connection of the pool or of a feature's share; 0 if there is none. */
  readonly oldestWaitMs: number;
  /** All features that hold a connection. */
  readonly shares: readonly ShareStats[];
  /** The end of the certificate that the newest connection met, in seconds since 1970; `undefined` without TLS. */
  readonly certificateExpiry: number | undefined;
}

type Connected = (error: Error | undefined, client?: pg.PoolClient, release?: (error?: unknown) => void) => void;

/** Lends the connections of a pool within the shares of the features, measures the waits for them, and counts failures. */
export class PoolMonitor {
  private pool: pg.Pool | undefined;
  /** The current waits with their start (`performance.now()`), oldest first. */
  private readonly waits = new Set<{ readonly since: number }>();
  /** The end of the certificate that the newest connection met; `undefined` without TLS. */
  private certificateExpiry: number | undefined;

  /** @param shares limits the connections that are lent by a promise, as for transactions */
  constructor(
    private readonly errors: DatabaseErrorCounts,
    private readonly shares?: FairShares,
  ) {}

  /** `undefined` before the pool exists, and for the embedded database, which has no pool. */
  get stats(): PoolStats | undefined {
    if (this.pool === undefined) return undefined;
    const { options, totalCount, idleCount, waitingCount } = this.pool;
    const { stats = [], oldestWaitMs = 0 } = this.shares ?? {};
    return {
      max: options.max,
      total: totalCount,
      idle: idleCount,
      waiting: waitingCount,
      oldestWaitMs: Math.max(this.oldestWaitMs, oldestWaitMs),
      shares: stats,
      certificateExpiry: this.certificateExpiry,
    };
  }

  private get oldestWaitMs(): number {
    const [oldest] = this.waits;
    return oldest === undefined ? 0 : performance.now() - oldest.since;
  }

  /**
   * To be called once, before the pool is used.
   *
   * MikroORM makes the pool itself, and `pg` emits no event when a caller waits for a connection, and has no hook that could delay a
   * loan. So the method `connect` of this one pool is replaced, which all queries and transactions call.
   */
  watch(pool: pg.Pool): void {
    this.pool = pool;
    const connect = pool.connect.bind(pool) as (callback: Connected) => void;
    const lend = (callback: Connected) => {
      // An idle connection is lent at once, without a wait.
      connect(pool.idleCount > 0 && pool.waitingCount === 0 ? callback : this.waiting(callback));
    };
    const lendPromised = () => promised(lend);
    const hold = this.shares?.guard(pool, lendPromised) ?? lendPromised;
    const watched = (callback?: Connected) => {
      if (callback === undefined) return hold();
      lend(callback);
      return undefined;
    };
    pool.connect = watched as typeof pool.connect;
    pool.on('connect', (client) => {
      if (!(client instanceof PooledClient)) return;
      client.errors = this.errors;
      this.certificateExpiry = client.certificateExpiry;
    });
  }

  private waiting(callback: Connected): Connected {
    const wait = { since: performance.now() };
    this.waits.add(wait);
    return (error, client, release) => {
      this.waits.delete(wait);
      if (error !== undefined) this.errors.add(error);
      callback(error, client, release);
    };
  }
}

function promised(lend: (callback: Connected) => void): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    lend((error, client) => {
      if (client === undefined) reject(error ?? new Error('The pool lent nothing'));
      else resolve(client);
    });
  });
}
