import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { DatabaseErrorCounts } from '../errors/database-errors.js';
import { PoolMonitor } from './pool-monitor.js';
import { FairShares, forTransaction } from './fair-shares.js';

type Callback = (error: Error | undefined, client: object | undefined) => void;

/** A pool that lends as many as are asked for. */
class FakePool extends EventEmitter {
  failure: Error | undefined;

  connect(callback: Callback): void {
    if (this.failure === undefined) callback(undefined, {});
    else callback(this.failure, undefined);
  }
}

describe('of a pool of ten', () => {
  let feature: string | undefined;
  let fake: FakePool;
  let pool: pg.Pool;
  let shares: FairShares;

  beforeEach(() => {
    feature = 'orders';
    fake = new FakePool();
    pool = fake as unknown as pg.Pool;
    const requests = { current: () => (feature === undefined ? undefined : { feature }), featureOf: () => feature! };
    shares = new FairShares(10, requests, 50);
    new PoolMonitor(new DatabaseErrorCounts(), shares).watch(pool);
  });

  function lend(count: number): Promise<pg.PoolClient[]> {
    return Promise.all(Array.from({ length: count }, () => pool.connect()));
  }

  function begin(count: number): Promise<pg.PoolClient[]> {
    return forTransaction(() => lend(count));
  }

  function giveBack(client: object | undefined): void {
    fake.emit('release', undefined, client);
  }

  test('a feature gets four connections, and is told that a fifth takes too long', async () => {
    await lend(4);
    await expect(lend(1)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('of which transactions hold all, statements get one more, in turn', async () => {
    await begin(4);
    const [read] = await lend(1);
    const [transaction, next] = [begin(1), lend(1)];
    giveBack(read);
    await expect(next).resolves.toHaveLength(1);
    await expect(transaction).rejects.toThrow('overloaded');
  });

  test('a transaction and a statement go on when both have room', async () => {
    const [first] = await begin(4);
    const [read] = await lend(1);
    const both = Promise.all([begin(1), lend(1)]);
    giveBack(first);
    giveBack(read);
    await expect(both).resolves.toHaveLength(2);
  });

  test('another feature gets as many meanwhile, and what is no request too', async () => {
    await lend(4);
    feature = 'stock';
    expect(await lend(4)).toHaveLength(4);
    feature = undefined;
    expect(await lend(4)).toHaveLength(4);
  });

  test('it tells what each feature holds, who waits, and for how long', async () => {
    expect([shares.limit, shares.stats, shares.oldestWaitMs]).toEqual([4, [], 0]);
    const [first] = await lend(4);
    const fifth = pool.connect();
    feature = undefined;
    await lend(1);
    await delay(20);
    expect(shares.stats).toEqual([
      { feature: 'orders', held: 4 },
      { feature: '', held: 1 },
    ]);
    expect(shares.oldestWaitMs).toBeGreaterThanOrEqual(15);
    giveBack(first);
    await fifth;
    expect(shares.stats[0]).toEqual({ feature: 'orders', held: 4 });
    expect(shares.oldestWaitMs).toBe(0);
  });

  test('a fifth is lent when one has come back', async () => {
    const [first] = await lend(4);
    const fifth = pool.connect();
    giveBack(first);
    await expect(fifth).resolves.toBeDefined();
    await expect(lend(1)).rejects.toThrow('overloaded');
  });

  test('one that never came holds no place', async () => {
    fake.failure = new Error('refused');
    for (let times = 0; times < 10; times += 1) await expect(lend(1)).rejects.toThrow('refused');
    fake.failure = undefined;
    expect(await lend(4)).toHaveLength(4);
  });

  test('who gave up waiting holds no place', async () => {
    const lent = await lend(4);
    for (let times = 0; times < 3; times += 1) await expect(lend(1)).rejects.toThrow('overloaded');
    lent.forEach(giveBack);
    expect(await lend(4)).toHaveLength(4);
  });

  test('statements that share round trips are lent as many as there are', () => {
    const lent: unknown[] = [];
    for (let times = 0; times < 10; times += 1) pool.connect((_error, client) => lent.push(client));
    expect(lent).toHaveLength(10);
  });
});

test('a feature gets one connection at least', async () => {
  const pool = new FakePool() as unknown as pg.Pool;
  new PoolMonitor(new DatabaseErrorCounts(), new FairShares(1, undefined, 50)).watch(pool);
  await expect(pool.connect()).resolves.toBeDefined();
  await expect(pool.connect()).rejects.toThrow('overloaded');
});
