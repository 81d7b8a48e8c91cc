import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Statement, SqlExecutor } from '../sql/sql-executor.js';
import type { Replica, Standing } from './replica.js';
import { SynchronousStandbys } from './synchronous-standbys.js';
import { parseWalPosition, type WalPosition } from './wal-position.js';
import { WrittenPositions } from './written-positions.js';

const WRITTEN: Statement = {
  name: 'wal_written',
  text: `select pg_current_wal_lsn()::text, current_setting('synchronous_commit'),
    current_setting('synchronous_standby_names')`,
};

const INTERVAL_MS = 1_000;

/** A replica is used while it shows what the primary had written this many looks ago: about as many seconds. */
const MAX_LOOKS_BEHIND = 10;

/** At how many looks in a row commits must have waited for a replica: a server takes a moment to heed a new setting. */
const MIN_LOOKS_WAITED_FOR = 2;

/**
 * Looks after the replicas: one that is away, follows nobody or is too far behind is not read from until it is back. Where
 * commits wait until standbys show them, also one that they do not wait for: cluster managers change which ones that are.
 */
export class ReplicaWatch implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(ReplicaWatch.name);
  private readonly stopped = new AbortController();
  /** What the primary had written at the latest looks, the oldest first. It stays as it is while the primary is away. */
  private readonly written: WalPosition[] = [];
  private readonly positions = new WrittenPositions();
  /** As the primary said last; it stays as it is while the primary is away. */
  private synchronous: SynchronousStandbys | undefined;
  private isPrimaryThere = false;

  constructor(
    private readonly primary: SqlExecutor,
    readonly replicas: readonly Replica[],
  ) {}

  /** The replicas that are read from at the moment. */
  get inUse(): readonly Replica[] {
    return this.replicas.filter(({ usable }) => usable);
  }

  onModuleInit(): void {
    void this.keepLooking();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  /** Takes a replica out of use, until a look finds it well. */
  fail(replica: Replica, reason: unknown): void {
    if (!replica.usable || this.stopped.signal.aborted) return;
    replica.usable = false;
    this.logger.warn({ err: reason, replica: replica.name }, 'A replica is not read from any more');
  }

  /** Asks every server once how far it is. Never rejects. */
  async look(): Promise<void> {
    await this.lookAtPrimary();
    await Promise.all(this.replicas.map((replica) => this.lookAt(replica)));
    const now = performance.now();
    for (const replica of this.replicas)
      if (replica.shown !== undefined) replica.lagMs = this.positions.lagOf(replica.shown, now);
  }

  private async keepLooking(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      await this.look();
      await delay(INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async lookAtPrimary(): Promise<void> {
    try {
      const [row] = await this.primary.run(WRITTEN, []);
      const position = parseWalPosition(row?.[0] as string);
      this.synchronous = SynchronousStandbys.of(row?.[1], row?.[2]);
      this.isPrimaryThere = true;
      this.positions.add(position, performance.now());
      this.written.push(position);
      if (this.written.length > MAX_LOOKS_BEHIND) this.written.shift();
    } catch {
      // Without the primary nobody can tell how far behind a replica is: what was found last holds.
      this.isPrimaryThere = false;
    }
  }

  private async lookAt(replica: Replica): Promise<void> {
    const looks = replica.waitedForLooks + 1;
    replica.waitedForLooks = 0;
    try {
      const standing = await replica.standing();
      if (standing === undefined) throw new Error('The server is no standby');
      const { replayed } = standing;
      replica.shown = replayed;
      const wanted = this.wantedOf(replica, standing, looks);
      if (wanted === undefined) return;
      if (replayed < wanted) throw new Error(`The replica is ${wanted - replayed} bytes too far behind the primary`);
      if (!replica.usable) this.logger.log({ replica: replica.name }, 'A replica is read from');
      replica.usable = true;
    } catch (error) {
      this.fail(replica, error);
    }
  }

  /**
   * How far a replica must have come; `undefined` where that remains to be seen.
   *
   * @param looks at how many in a row commits have waited for it, if they do now
   * @throws Error where it may not be read from however far it has come
   */
  private wantedOf(replica: Replica, { slot, isReceiving }: Standing, looks: number): WalPosition | undefined {
    const [longAgo] = this.written;
    if (this.synchronous === undefined) return longAgo;
    // While the primary is away nothing is acknowledged that a replica could miss.
    if (!this.isPrimaryThere) return replica.usable ? longAgo : undefined;
    if (!isReceiving) throw new Error('The replica is not connected to a primary');
    // Without a slot it does not tell which one it is: whether commits wait for it is up to who wrote the settings.
    if (slot === undefined) return longAgo;
    if (!this.synchronous.waitFor(slot, this.replicas.length)) throw new Error('Commits do not wait for the replica');
    replica.waitedForLooks = looks;
    if (replica.usable) return longAgo;
    // What was acknowledged before commits waited for it, it must have caught up with.
    return looks < MIN_LOOKS_WAITED_FOR ? undefined : this.written.at(-1);
  }
}
