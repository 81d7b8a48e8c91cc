import { AsyncLocalStorage } from 'node:async_hooks';
import { PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { OverloadedError } from '../errors/unavailability.js';
import type { Requests } from '../database-settings.js';

/** The fraction of the pool that a feature may hold. */
const SHARE = 2 / 5;

/** How long a transaction or a statement may wait until its feature returns a connection, in milliseconds. */
const MAX_WAIT_MS = 5_000;

/** The connections of a feature, for metrics. */
export interface ShareStats {
  /** Empty for work outside of requests. */
  readonly feature: string;
  readonly held: number;
}

type Connect = () => Promise<pg.PoolClient>;

/** What a connection is for: a transaction, or one statement outside of transactions. */
type Use = 'transactions' | 'statements';

/** A transaction or a statement that waits until its feature returns a connection. */
interface Waiting {
  readonly use: Use;
  /** `performance.now()` at the start of the wait. */
  readonly since: number;
  readonly proceed: () => void;
}

/** The connections that a feature holds, by their use. */
interface Share extends Record<Use, number> {
  /** Oldest first. */
  readonly waiting: Set<Waiting>;
}

interface Holder {
  readonly feature: string;
  readonly use: Use;
}

const beginning = new AsyncLocalStorage<true>();

/** Runs work that asks for the connection of a transaction. A connection that is asked for elsewhere is for one statement. */
export function forTransaction<Result>(begin: () => Result): Result {
  return beginning.run(true, begin);
}

class ServerConnection extends PostgreSqlConnection {
  override begin(...options: Parameters<PostgreSqlConnection['begin']>): ReturnType<PostgreSqlConnection['begin']> {
    return forTransaction(() => super.begin(...options));
  }
}

/** MikroORM's driver, which tells {@link FairShares} that a connection is for a transaction. */
export class ServerDriver extends PostgreSqlDriver {
  protected override readonly connection = new ServerConnection(this.config);
}

/**
 * Limits how many connections of a pool one feature can hold, however long its transactions wait for locks. Transactions and
 * queries of entity managers are counted. If the feature holds as many as it may, one statement at a time outside of its
 * transactions still gets a connection, so that a feature whose transactions are stuck can read. Batched statements are not
 * counted, because at most one or two of each kind are in flight (`BatchingLimits`).
 */
export class FairShares {
  /** The number of connections that a feature may hold. */
  readonly limit: number;
  private readonly shares = new Map<string, Share>();
  private readonly holders = new WeakMap<object, Holder>();

  constructor(
    poolSize: number,
    private readonly requests: Requests | undefined,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {
    this.limit = Math.max(1, Math.floor(poolSize * SHARE));
  }

  /** All features that hold a connection. */
  get stats(): ShareStats[] {
    return Array.from(this.shares, ([feature, { transactions, statements }]) => ({
      feature,
      held: transactions + statements,
    }));
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
      const holder = this.holders.get(client);
      if (holder === undefined) return;
      this.holders.delete(client);
      this.leave(holder);
    });
    return () => this.lend(connect);
  }

  private async lend(connect: Connect): Promise<pg.PoolClient> {
    const request = this.requests?.current();
    const feature = request === undefined ? '' : (this.requests?.featureOf(request) ?? '');
    const holder: Holder = { feature, use: beginning.getStore() === true ? 'transactions' : 'statements' };
    await this.enter(holder);
    try {
      const client = await connect();
      this.holders.set(client, holder);
      return client;
    } catch (error) {
      this.leave(holder);
      throw error;
    }
  }

  /** @throws OverloadedError */
  private async enter({ feature, use }: Holder): Promise<void> {
    const share = this.shares.get(feature) ?? { transactions: 0, statements: 0, waiting: new Set() };
    this.shares.set(feature, share);
    if (this.hasRoom(share, use)) share[use] += 1;
    else await this.wait(share, use);
  }

  private hasRoom({ transactions, statements }: Share, use: Use): boolean {
    return transactions + statements < this.limit || (use === 'statements' && statements === 0);
  }

  /** Resolves when the feature has returned a connection, which is counted for this use. */
  private wait({ waiting }: Share, use: Use): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(entry);
        reject(new OverloadedError());
      }, this.maxWaitMs);
      const entry = {
        use,
        since: performance.now(),
        proceed: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      waiting.add(entry);
    });
  }

  private leave({ feature, use }: Holder): void {
    const share = this.shares.get(feature);
    if (share === undefined) return;
    share[use] -= 1;
    for (const next of share.waiting) {
      if (!this.hasRoom(share, next.use)) continue;
      share.waiting.delete(next);
      share[next.use] += 1;
      next.proceed();
    }
    if (share.transactions + share.statements === 0) this.shares.delete(feature);
  }
}
