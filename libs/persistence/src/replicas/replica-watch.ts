import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Statement, Statements } from '../statements.js';
import type { Replica } from './replica.js';
import { parseWalPosition, type WalPosition } from './wal-position.js';
import { WrittenPositions } from './written-positions.js';

const WRITTEN: Statement = { name: 'wal_written', text: 'select pg_current_wal_lsn()::text' };

const INTERVAL_MS = 1_000;

/** A replica is used while it shows what the primary had written this many looks ago: about as many seconds. */
const MAX_LOOKS_BEHIND = 10;

/** Looks after the replicas: one that is away, follows nobody or is too far behind is not read from until it is back. */
export class ReplicaWatch implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(ReplicaWatch.name);
  private readonly stopped = new AbortController();
  /** What the primary had written at the latest looks, the oldest first. It stays as it is while the primary is away. */
  private readonly written: WalPosition[] = [];
  private readonly positions = new WrittenPositions();

  constructor(
    private readonly primary: Statements,
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
      this.positions.add(position, performance.now());
      this.written.push(position);
      if (this.written.length > MAX_LOOKS_BEHIND) this.written.shift();
    } catch {
      // Without the primary nobody can tell how far behind a replica is: what was found last holds.
    }
  }

  private async lookAt(replica: Replica): Promise<void> {
    try {
      const replayed = await replica.replayed();
      const wanted = this.written[0];
      if (replayed === undefined) throw new Error('The server is no standby');
      replica.shown = replayed;
      if (wanted === undefined) return;
      if (replayed < wanted) throw new Error(`The replica is ${wanted - replayed} bytes too far behind the primary`);
      if (!replica.usable) this.logger.log({ replica: replica.name }, 'A replica is read from');
      replica.usable = true;
    } catch (error) {
      this.fail(replica, error);
    }
  }
}
