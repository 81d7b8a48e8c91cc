import type { MikroORM } from '@mikro-orm/core';
import type { PgliteConnection } from '@mikro-orm/pglite';
import type { PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { BatchTracing } from './batching/batch-tracing.js';
import type { BatcherStats } from './batching/batcher-stats.js';
import type { DatabaseErrorCounts } from './database-error-counts.js';
import type { DatabaseErrorReason } from './database-errors.js';
import type { IdempotencyKeyUses } from './idempotency/idempotency-key-uses.js';
import type { PoolMonitor } from './pool-monitor.js';
import type { ReplicaWatch } from './replicas/replica-watch.js';
import type { FairShares, ShareStats } from './transactions/fair-shares.js';

/** The connections of the pool. */
export interface PoolStats {
  readonly max: number;
  readonly total: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
  /** How long the one has waited that waits for longest, for any connection or for one of its feature's; 0 where nobody waits. */
  readonly oldestWaitMs: number;
  /** How many connections a feature may hold. */
  readonly shareLimit: number;
  /** Of every feature that holds one. */
  readonly shares: readonly ShareStats[];
}

/** A replica as the service finds it. */
export interface ReplicaStats {
  /** As `host:port`. */
  readonly name: string;
  /** Whether it is read from. */
  readonly serving: boolean;
  /** How old the oldest change of the primary is that it does not show, in milliseconds; unknown until it was asked once. */
  readonly lagMs: number | undefined;
}

/** What is watched of the connections to the primary. */
export interface WatchedConnections {
  readonly errors: DatabaseErrorCounts;
  readonly pool: PoolMonitor;
  readonly shares: FairShares;
}

/** How busy the way to the database is, for whoever measures and traces it. */
export class DatabaseStats {
  private readonly watched = new Map<string, BatcherStats>();
  private readonly watchedKeys = new Map<string, IdempotencyKeyUses>();
  private tracing: BatchTracing | undefined;

  constructor(
    private readonly orm: MikroORM,
    private readonly watchedConnections: WatchedConnections,
    private readonly replicaWatch?: ReplicaWatch,
  ) {}

  get replicas(): ReplicaStats[] {
    return (this.replicaWatch?.replicas ?? []).map(({ name, usable, lagMs }) => ({ name, serving: usable, lagMs }));
  }

  /** How often the database could not do what it was asked for, by the reason; without what only a replica could not. */
  get errors(): Readonly<Record<DatabaseErrorReason, number>> {
    return this.watchedConnections.errors.all;
  }

  /** The batchers, by what travels in them. */
  get batchers(): ReadonlyMap<string, BatcherStats> {
    return this.watched;
  }

  /** @param batchers by what travels in them */
  watch(batchers: Readonly<Record<string, BatcherStats>>): void {
    for (const [name, batcher] of Object.entries(batchers)) {
      batcher.tracing = this.tracing;
      this.watched.set(name, batcher);
    }
  }

  /** What became of requests with an idempotency key, by the statement that looks the key up. */
  get keyUses(): ReadonlyMap<string, IdempotencyKeyUses> {
    return this.watchedKeys;
  }

  watchKeys(statement: string, uses: IdempotencyKeyUses): void {
    this.watchedKeys.set(statement, uses);
  }

  /** Traces all batches of the application from now on, those of batchers to come as well. */
  traceBatches(tracing: BatchTracing): void {
    this.tracing = tracing;
    for (const batcher of this.watched.values()) batcher.tracing = tracing;
  }

  /** The pool; `undefined` while the server was never reached, and on the embedded database, which has none. */
  async pool(): Promise<PoolStats | undefined> {
    const connection = this.orm.em.getConnection() as unknown as PostgreSqlConnection | PgliteConnection;
    const client = await connection.getNativeClient().catch(() => undefined);
    if (client === undefined || 'waitReady' in client) return undefined;
    const { options, totalCount, idleCount, waitingCount } = client;
    const { pool, shares } = this.watchedConnections;
    return {
      max: options.max,
      total: totalCount,
      idle: idleCount,
      waiting: waitingCount,
      oldestWaitMs: Math.max(pool.oldestWaitMs, shares.oldestWaitMs),
      shareLimit: shares.limit,
      shares: shares.loads,
    };
  }
}
