import type pg from 'pg';
import { OverloadedError } from '../errors/unavailability.js';
import type { Requests } from '../database-settings.js';

/** The fraction of the pool that a feature may hold. */
const SHARE = 2 / 5;

/** How long a transaction may wait until its feature returns a connection, in milliseconds. */
const MAX_WAIT_MS = 5_000;

/** The connections of a feature, for metrics. */
export interface ShareStats {
  /** Empty for work outside of requests. */
  readonly feature: string;
  readonly held: number;
}

type Connect = () => Promise<pg.PoolClient>;

/** A transaction that waits until its feature returns a connection. */
interface Waiting {
  /** `performance.now()` at the start of the wait. */
  readonly since: number;
  readonly proceed: () => void;
}

/** The connections of a feature. */
interface Share {
  held: number;
  /** Oldest first. */
  readonly waiting: Set<Waiting>;
}

/**
 * Limits how many connections of a pool one feature can hold, however long its transactions wait for locks. Transactions and
 * queries of entity managers are counted. Batched statements are not counted, because at most one or two of each kind are in
 * flight (`BatchingLimits`).
 */
export class FairShares {
  /** The number of connections that a feature may hold. */
  readonly limit: number;
  private readonly shares = new Map<string, Share>();
  private readonly holders = new WeakMap<object, string>();

  constructor(
    poolSize: number,
    private readonly requests: Requests | undefined,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {
    this.limit = Math.max(1, Math.floor(poolSize * SHARE));
  }

  /** All features that hold a connection. */
  get stats(): ShareStats[] {
    return Array.from(this.shares, ([feature, { held }]) => ({ feature, held }));
  }

  /** The duration of the longest current wait, in milliseconds; 0 if there is none. */
  get oldestWaitMs(): number {
    const oldest = [...this.shares.values()].flatMap(({ waiting: [first] }) =>
      first === undefined ? [] : [first.since],
    );
    return oldest.length === 0 ? 0 : performance.now() - Math.min(...oldest);
  }

  /**
   * To be called once for each pool.
   *
   * @param connect lends a connection of the pool
   * @returns a function that lends a connection, within the share of the current feature
   */
  guard(pool: pg.Pool, connect: Connect): Connect {
    pool.on('release', (_error, client) => {
      const feature = this.holders.get(client);
      if (feature === undefined) return;
      this.holders.delete(client);
      this.leave(feature);
    });
    return () => this.lend(connect);
  }

  private async lend(connect: Connect): Promise<pg.PoolClient> {
    const request = this.requests?.current();
    const feature = request === undefined ? '' : (this.requests?.featureOf(request) ?? '');
    await this.enter(feature);
    try {
      const client = await connect();
      this.holders.set(client, feature);
      return client;
    } catch (error) {
      this.leave(feature);
      throw error;
    }
  }

  /** @throws OverloadedError */
  private async enter(feature: string): Promise<void> {
    const share = this.shares.get(feature) ?? { held: 0, waiting: new Set() };
    this.shares.set(feature, share);
    if (share.held < this.limit) share.held += 1;
    else await this.wait(share);
  }

  /** Resolves when the feature returns a connection. */
  private wait({ waiting }: Share): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(entry);
        reject(new OverloadedError());
      }, this.maxWaitMs);
      const entry = {
        since: performance.now(),
        proceed: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      waiting.add(entry);
    });
  }

  private leave(feature: string): void {
    const share = this.shares.get(feature);
    if (share === undefined) return;
    const [next] = share.waiting;
    if (next !== undefined) {
      share.waiting.delete(next);
      next.proceed();
    } else if ((share.held -= 1) === 0) this.shares.delete(feature);
  }
}
