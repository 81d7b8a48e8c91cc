import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { SqlExecutor, Parameter, Row, Statement } from '../sql/sql-executor.js';
import {
  readStandbyState,
  type StandbyState,
  SynchronousStandbys,
  parseWalPosition,
  type WalPosition,
} from './standby-state.js';

/** A standby of the primary, and whether reads may use it. */
export class Replica {
  /** Whether reads use it. False until a poll finds it close behind the primary. */
  serving = false;
  /** The replay position at the last successful poll. */
  shown: WalPosition | undefined;
  /** The number of consecutive polls at which commits of the primary waited for it. */
  synchronousPolls = 0;
  /** The age of the oldest change that it does not show, in milliseconds; `undefined` before the first poll. */
  lagMs: number | undefined;

  /**
   * @param name the name in logs and metrics, `host:port`; it contains no secret
   * @param close closes its connections
   */
  constructor(
    readonly name: string,
    private readonly executor: SqlExecutor,
    readonly close: () => Promise<void>,
  ) {}

  run(statement: Statement, values: readonly Parameter[]): Promise<readonly Row[]> {
    return this.executor.run(statement, values);
  }
}

const PRIMARY_STATE: Statement = {
  name: 'wal_written',
  text: `select pg_current_wal_lsn()::text, current_setting('synchronous_commit'),
    current_setting('synchronous_standby_names')`,
};

const INTERVAL_MS = 1_000;

/** A replica is used if it shows the position that the primary had this many polls ago, which is about as many seconds. */
const MAX_LAG_POLLS = 10;

/** The number of consecutive polls at which commits must have waited for a replica. A server applies new settings with a delay. */
const MIN_SYNCHRONOUS_POLLS = 2;

/**
 * Polls the replicas. A replica is not used for reads while it is unavailable, has no primary, or lags too far behind. If commits
 * wait for synchronous standbys, a replica for which they do not wait is not used either; cluster managers change these standbys.
 */
export class ReplicaWatch implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(ReplicaWatch.name);
  private readonly stopped = new AbortController();
  /** Keeps its value while the primary is unavailable. */
  private readonly lag = new ReplicaLag();
  /** The setting at the last successful poll of the primary. */
  private synchronous: SynchronousStandbys | undefined;
  private isPrimaryAvailable = false;

  constructor(
    private readonly primary: SqlExecutor,
    readonly replicas: readonly Replica[],
  ) {}

  /** The replicas that reads use at the moment. */
  get inUse(): readonly Replica[] {
    return this.replicas.filter(({ serving }) => serving);
  }

  onModuleInit(): void {
    void this.pollRepeatedly();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await Promise.all(this.replicas.map((replica) => replica.close()));
  }

  /** Stops using a replica until a poll succeeds. */
  fail(replica: Replica, reason: unknown): void {
    if (!replica.serving || this.stopped.signal.aborted) return;
    replica.serving = false;
    this.logger.warn({ err: reason, replica: replica.name }, 'A replica is not read from any more');
  }

  /** Reads the position of every server once. Never rejects. */
  async poll(): Promise<void> {
    await this.pollPrimary();
    await Promise.all(this.replicas.map((replica) => this.pollReplica(replica)));
    const now = performance.now();
    for (const replica of this.replicas)
      if (replica.shown !== undefined) replica.lagMs = this.lag.of(replica.shown, now);
  }

  private async pollRepeatedly(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      await this.poll();
      await delay(INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async pollPrimary(): Promise<void> {
    try {
      const [row] = await this.primary.run(PRIMARY_STATE, []);
      const position = parseWalPosition(row?.[0] as string);
      this.synchronous = SynchronousStandbys.of(row?.[1], row?.[2]);
      this.isPrimaryAvailable = true;
      this.lag.addPrimaryPosition(position, performance.now());
    } catch {
      // Without the primary the lag of replicas is unknown. The last positions stay valid.
      this.isPrimaryAvailable = false;
    }
  }

  private async pollReplica(replica: Replica): Promise<void> {
    const polls = replica.synchronousPolls + 1;
    replica.synchronousPolls = 0;
    try {
      const state = await readStandbyState(replica);
      if (state === undefined) throw new Error('The server is no standby');
      const { replayed } = state;
      replica.shown = replayed;
      const required = this.requiredPosition(replica, state, polls);
      if (required === undefined) return;
      if (replayed < required) {
        const seconds = (this.lag.of(replayed, performance.now()) / 1000).toFixed(1);
        throw new Error(`The replica is ${seconds} s behind the primary, and about ${MAX_LAG_POLLS} s are allowed`);
      }
      if (!replica.serving) this.logger.log({ replica: replica.name }, 'A replica is read from');
      replica.serving = true;
    } catch (error) {
      this.fail(replica, error);
    }
  }

  /**
   * The position that a replica must have replayed so that reads may use it; `undefined` if that is not known yet.
   *
   * @param polls the number of consecutive polls at which commits waited for it, this poll included
   * @throws Error if reads may not use it at any position
   */
  private requiredPosition(
    replica: Replica,
    { slot, isReceiving }: StandbyState,
    polls: number,
  ): WalPosition | undefined {
    const { minPosition } = this.lag;
    if (this.synchronous === undefined) return minPosition;
    // While the primary is unavailable, no commits are acknowledged that a replica could miss.
    if (!this.isPrimaryAvailable) return replica.serving ? minPosition : undefined;
    if (!isReceiving) throw new Error('The replica is not connected to a primary');
    // A replica without a slot cannot be identified. The operator must ensure that commits wait for it.
    if (slot === undefined) return minPosition;
    if (!this.synchronous.waitFor(slot, this.replicas.length)) throw new Error('Commits do not wait for the replica');
    replica.synchronousPolls = polls;
    if (replica.serving) return minPosition;
    // It must have replayed all commits that were acknowledged before commits waited for it.
    return polls < MIN_SYNCHRONOUS_POLLS ? undefined : this.lag.primaryPosition;
  }
}

/** The number of positions in memory: an hour of writes with one position a second. Older changes count as an hour old. */
const MAX_KEPT = 3_600;

/** How far replicas may be, and are, behind the primary. */
export class ReplicaLag {
  /** The positions of the primary at the last polls, oldest first. */
  private readonly recent: WalPosition[] = [];
  /** When each position was first seen, in milliseconds. Ascending by position and by time. */
  private readonly seen: { readonly position: WalPosition; readonly at: number }[] = [];

  /** The position that a replica must have replayed so that reads may use it; `undefined` before the first poll. */
  get minPosition(): WalPosition | undefined {
    return this.recent[0];
  }

  /** The position of the primary at the last poll; `undefined` before the first poll. */
  get primaryPosition(): WalPosition | undefined {
    return this.recent.at(-1);
  }

  /** @param at the time of the poll, in milliseconds; not earlier than in the call before */
  addPrimaryPosition(position: WalPosition, at: number): void {
    this.recent.push(position);
    if (this.recent.length > MAX_LAG_POLLS) this.recent.shift();
    // A promoted primary may begin before the last position of the old one. Later positions are no longer valid.
    while ((this.seen.at(-1)?.position ?? 0n) > position) this.seen.pop();
    if (this.seen.at(-1)?.position === position) return;
    this.seen.push({ position, at });
    if (this.seen.length > MAX_KEPT) this.seen.shift();
  }

  /** The age of the oldest change that a replica at the position `replayed` does not show, in milliseconds; 0 if there is none. */
  of(replayed: WalPosition, now: number): number {
    const missing = this.seen.find(({ position }) => position > replayed);
    return missing === undefined ? 0 : now - missing.at;
  }
}
