import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { SqlExecutor, type Row, type Statement } from '../sql/sql-executor.js';
import { ReplicaSqlExecutor } from './replica-sql-executor.js';
import { Replica, ReplicaLag, ReplicaWatch } from './replica-watch.js';
import { SynchronousStandbys, parseWalPosition } from './standby-state.js';

const READ: Statement = { name: 'read', text: 'select 1' };

class UnreachableError extends Error {
  readonly code = 'ECONNREFUSED';
}

/** A server that says its name to a read, and where it is in the log to the watch. */
class FakeServer extends SqlExecutor {
  position: string | null = '0/10';
  /** Of a standby: its slot, and whether it is connected. Of the primary: how its commits wait. */
  state: unknown[] = [];
  failure: Error | undefined;

  constructor(private readonly name: string) {
    super();
  }

  override run({ name }: Statement): Promise<readonly Row[]> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    return Promise.resolve([name === 'read' ? [this.name] : [this.position, ...this.state]]);
  }
}

let primary: FakeServer;
let one: FakeServer;
let two: FakeServer;
let watch: ReplicaWatch;
let reads: ReplicaSqlExecutor;

beforeEach(() => {
  Logger.overrideLogger(false);
  primary = new FakeServer('primary');
  one = new FakeServer('one');
  two = new FakeServer('two');
  const replicas = [one, two].map((server, index) => new Replica(String(index), server, () => Promise.resolve()));
  watch = new ReplicaWatch(primary, replicas);
  reads = new ReplicaSqlExecutor(primary, watch);
});

/** Who serves the next four reads. */
async function readers(): Promise<unknown[]> {
  const names: unknown[] = [];
  for (let count = 0; count < 4; count += 1) names.push((await reads.run(READ, []))[0]?.[0]);
  return names.toSorted();
}

describe('reads', () => {
  test('go to the primary until the replicas have been looked at', async () => {
    expect(await readers()).toEqual(['primary', 'primary', 'primary', 'primary']);
  });

  test('go to the replicas in turn', async () => {
    await watch.poll();
    expect(await readers()).toEqual(['one', 'one', 'two', 'two']);
  });

  test('go to the others while a replica is away, and to it again when it is back', async () => {
    await watch.poll();
    one.failure = new UnreachableError();
    expect(await readers()).toEqual(['two', 'two', 'two', 'two']);
    await watch.poll();
    expect(await readers()).toEqual(['two', 'two', 'two', 'two']);
    one.failure = undefined;
    await watch.poll();
    expect(await readers()).toEqual(['one', 'one', 'two', 'two']);
  });

  test('go to the primary while every replica is away', async () => {
    await watch.poll();
    one.failure = two.failure = new UnreachableError();
    expect(await readers()).toEqual(['primary', 'primary', 'primary', 'primary']);
  });

  test('that a replica refuses are served by another, and it stays in use', async () => {
    await watch.poll();
    one.failure = new Error('canceling statement due to conflict with recovery');
    expect(await readers()).toEqual(['two', 'two', 'two', 'two']);
    one.failure = undefined;
    expect(await readers()).toEqual(['one', 'one', 'two', 'two']);
  });

  test('fail as the primary fails where nobody can serve them', async () => {
    await watch.poll();
    one.failure = two.failure = new Error('of the replica');
    primary.failure = new Error('of the primary');
    await expect(reads.run(READ, [])).rejects.toThrow('of the primary');
  });
});

describe('a replica', () => {
  test('may be behind for ten polls, and no longer', async () => {
    await watch.poll();
    for (let look = 1; look <= 9; look += 1) {
      primary.position = two.position = `0/1${look}`;
      await watch.poll();
      expect(watch.inUse.map(({ name }) => name)).toEqual(['0', '1']);
    }
    primary.position = two.position = '0/20';
    await watch.poll();
    expect(watch.inUse.map(({ name }) => name)).toEqual(['1']);
  });

  test('has the lag of the oldest change that it does not show, also while it tells nothing', async () => {
    const lags = () => watch.replicas.map(({ lagMs }) => lagMs);
    expect(lags()).toEqual([undefined, undefined]);
    await watch.poll();
    expect(lags()).toEqual([0, 0]);
    const changedAt = performance.now();
    primary.position = two.position = '0/20';
    await watch.poll();
    await delay(30);
    one.failure = new UnreachableError();
    await watch.poll();
    expect(lags()).toEqual([expect.any(Number), 0]);
    expect(lags()[0]).toBeGreaterThanOrEqual(25);
    expect(lags()[0]).toBeLessThanOrEqual(performance.now() - changedAt);
  });

  test('is not used where it is no standby', async () => {
    one.position = null;
    await watch.poll();
    expect(watch.inUse.map(({ name }) => name)).toEqual(['1']);
  });

  test('stays in use while the primary is away', async () => {
    await watch.poll();
    primary.failure = new UnreachableError();
    for (let look = 1; look <= 20; look += 1) await watch.poll();
    expect(await readers()).toEqual(['one', 'one', 'two', 'two']);
  });

  test('is not used before the primary has been seen', async () => {
    primary.failure = new UnreachableError();
    await watch.poll();
    expect(watch.inUse).toEqual([]);
  });
});

describe('where commits wait until standbys show them, a replica', () => {
  beforeEach(async () => {
    waitFor('2 (one,two)');
    one.state = ['one', 't'];
    two.state = ['two', 't'];
    await watch.poll();
    await watch.poll();
  });

  function waitFor(names: string): void {
    primary.state = ['remote_apply', names];
  }

  function inUse(): string[] {
    return watch.inUse.map(({ name }) => name);
  }

  test('is used once they have waited for it at two polls', () => {
    expect(inUse()).toEqual(['0', '1']);
  });

  test.each(['two', 'ANY 1 (one, two)', '*'])(
    'is used no more at the first look at which they wait for %s',
    async (names) => {
      waitFor(names);
      await watch.poll();
      expect(inUse()).not.toContain('0');
    },
  );

  test('is used again at the second look at which they wait for it, where it shows all that was written', async () => {
    waitFor('two');
    await watch.poll();
    waitFor('2 (one,two)');
    await watch.poll();
    expect(inUse()).toEqual(['1']);
    primary.position = two.position = '0/11';
    await watch.poll();
    expect(inUse()).toEqual(['1']);
    one.position = '0/11';
    await watch.poll();
    expect(inUse()).toEqual(['0', '1']);
  });

  test('is not used while it is not connected to a primary, whether or not it tells which one it is', async () => {
    one.state = ['one', 'f'];
    two.state = ['', 'f'];
    await watch.poll();
    expect(inUse()).toEqual([]);
  });

  test('that does not tell which one it is is used as far as it has come', async () => {
    one.state = ['', 't'];
    waitFor('two');
    await watch.poll();
    expect(inUse()).toEqual(['0', '1']);
  });

  test('stays in use while the primary is away, and none comes into use', async () => {
    waitFor('two');
    await watch.poll();
    primary.failure = new UnreachableError();
    two.state = ['two', 'f'];
    for (let look = 1; look <= 3; look += 1) await watch.poll();
    expect(inUse()).toEqual(['1']);
  });

  test.each([
    ['on', 'two'],
    ['remote_apply', ''],
  ])('need not be waited for with synchronous_commit = %s and the names "%s"', async (commit, names) => {
    primary.state = [commit, names];
    await watch.poll();
    expect(inUse()).toEqual(['0', '1']);
  });
});

test.each([
  ['FIRST 2 ("zoo-1", zoo_2)', 'zoo_1'],
  ['ANY 2 ("zoo-1",zoo_2)', '_cnpg_zoo_1'],
  ['"Zoo.1"', 'zoo_1'],
  ['2 (*)', 'anything'],
])('with the names %s commits wait for the standby of the slot %s', (names, slot) => {
  expect(SynchronousStandbys.of('remote_apply', names)?.waitFor(slot, 2)).toBe(true);
  expect(SynchronousStandbys.of('remote_apply', names)?.waitFor('other', 3)).toBe(false);
});

test.each([
  ['16/B374D848', 0x16b374d848n],
  ['1/0', 4_294_967_296n],
])('the position %s is read as bytes', (text, position) => {
  expect(parseWalPosition(text)).toBe(position);
});

describe('the lag of a replica', () => {
  let replicaLag: ReplicaLag;

  beforeEach(() => {
    replicaLag = new ReplicaLag();
    replicaLag.addPrimaryPosition(10n, 1_000);
    replicaLag.addPrimaryPosition(20n, 2_000);
    replicaLag.addPrimaryPosition(20n, 3_000);
    replicaLag.addPrimaryPosition(30n, 4_000);
  });

  test.each([
    ['all', 30n, 0],
    ['more than was seen', 31n, 0],
    ['all but the latest', 20n, 6_000],
    ['all but what came first at the second look', 19n, 8_000],
    ['nothing', 0n, 9_000],
  ])('is the age of the oldest change that it does not show: of one that shows %s', (_what, shown, lag) => {
    expect(replicaLag.of(shown, 10_000)).toBe(lag);
  });

  test('does not count what a primary that was lost had written, and its successor has not', () => {
    replicaLag.addPrimaryPosition(15n, 5_000);
    expect(replicaLag.of(15n, 10_000)).toBe(0);
    expect(replicaLag.of(12n, 10_000)).toBe(5_000);
  });

  test('is told for an hour of writing', () => {
    for (let second = 5; second <= 5_000; second += 1)
      replicaLag.addPrimaryPosition(BigInt(second * 10), second * 1_000);
    expect(replicaLag.of(0n, 5_000_000)).toBe(3_599_000);
  });
});
