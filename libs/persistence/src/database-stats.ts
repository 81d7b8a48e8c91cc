import type { BatcherStats } from './batching/batcher.js';
import type { DatabaseErrorCounts, DatabaseErrorReason } from './errors/database-errors.js';
import type { IdempotencyKeyUses } from './idempotency/first-use.js';
import type { PoolMonitor, PoolStats } from './connections/pool-monitor.js';
import type { Replica, ReplicaWatch } from './replicas/replica-watch.js';

/** Statistics of the database access, for metrics. */
export class DatabaseStats {
  private readonly watched = new Map<string, BatcherStats>();
  private readonly watchedKeys = new Map<string, IdempotencyKeyUses>();
  private observerOf: ((statement: string) => (calls: number) => void) | undefined;

  constructor(
    private readonly counts: DatabaseErrorCounts,
    private readonly monitor: PoolMonitor,
    private readonly replicaWatch?: ReplicaWatch,
  ) {}

  get replicas(): readonly Replica[] {
    return this.replicaWatch?.replicas ?? [];
  }

  /** The number of errors of the primary, by reason. */
  get errors(): Readonly<Record<DatabaseErrorReason, number>> {
    return this.counts.all;
  }

  /** The batchers, by the name of their statement. */
  get batchers(): ReadonlyMap<string, BatcherStats> {
    return this.watched;
  }

  /** @param batchers by the name of their statement */
  watch(batchers: Readonly<Record<string, BatcherStats>>): void {
    for (const [name, batcher] of Object.entries(batchers)) {
      this.watched.set(name, batcher);
      batcher.onBatch = this.observerOf?.(name);
    }
  }

  /** The outcomes of requests with an idempotency key, by the name of the statement that looks up the key. */
  get keyUses(): ReadonlyMap<string, IdempotencyKeyUses> {
    return this.watchedKeys;
  }

  watchKeys(statement: string, uses: IdempotencyKeyUses): void {
    this.watchedKeys.set(statement, uses);
  }

  /**
   * Measures all batches from now on, also those of batchers that are added later.
   *
   * @param observerOf called with the name of each statement; returns what is called with the number of calls that share it
   */
  measureBatches(observerOf: (statement: string) => (calls: number) => void): void {
    this.observerOf = observerOf;
    for (const [name, batcher] of this.watched) batcher.onBatch = observerOf(name);
  }

  /** The connections to the primary; `undefined` before the first one, and on the embedded database, which has no pool. */
  pool(): PoolStats | undefined {
    return this.monitor.stats;
  }
}
