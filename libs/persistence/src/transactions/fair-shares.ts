import type pg from 'pg';
import { OverloadedError } from '../batching/batching.errors.js';
import type { Requests } from '../database-settings.js';

/** How much of the pool a feature may hold. */
const SHARE = 2 / 5;

/** How long one may wait for a connection of its feature to come back, in milliseconds. */
const MAX_WAIT_MS = 5_000;

type Connect = (callback: (error: Error | undefined, client?: pg.PoolClient) => void) => void;

/** Who waits for a connection of its feature to come back. */
interface Waiting {
  /** As `performance.now()` tells the time. */
  readonly since: number;
  readonly proceed: () => void;
}

/** What a feature holds of the pool. */
interface Share {
  held: number;
  /** The oldest first. */
  readonly waiting: Set<Waiting>;
}

/** What a feature holds of the pool, for whoever measures it. */
export interface ShareStats {
  /** Empty for what is no request. */
  readonly feature: string;
  readonly held: number;
  readonly waiting: number;
}

/**
 * Lets no feature hold more than its share of a pool, whoever opens its transactions and however long they wait for locks.
 * It counts what is lent to a holder, as transactions and queries of an entity manager are. Statements that share round trips
 * are not counted: of each kind one or two are under way at most (`BatchingLimits`).
 */
export class FairShares {
  /** How many connections a feature may hold. */
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

  /** Of every feature that holds a connection. */
  get loads(): ShareStats[] {
    return Array.from(this.shares, ([feature, { held, waiting }]) => ({ feature, held, waiting: waiting.size }));
  }

  /** How long the one has waited that waits for longest, in milliseconds; 0 where nobody waits. */
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
   * @returns lends one to a holder, within the share of its feature
   */
  guard(pool: pg.Pool, connect: Connect): () => Promise<pg.PoolClient> {
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
    return new Promise((resolve, reject) => {
      connect((error, client) => {
        if (client === undefined) {
          this.leave(feature);
          reject(error ?? new OverloadedError());
        } else {
          this.holders.set(client, feature);
          resolve(client);
        }
      });
    });
  }

  /** @throws OverloadedError */
  private async enter(feature: string): Promise<void> {
    const share = this.shares.get(feature) ?? { held: 0, waiting: new Set() };
    this.shares.set(feature, share);
    if (share.held < this.limit) share.held += 1;
    else await this.turn(share);
  }

  /** Resolves when another has left its place. */
  private turn({ waiting }: Share): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(one);
        reject(new OverloadedError());
      }, this.maxWaitMs);
      const one = {
        since: performance.now(),
        proceed: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      waiting.add(one);
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
