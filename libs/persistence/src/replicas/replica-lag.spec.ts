import { ReplicaLag } from './replica-lag.js';

let replicaLag: ReplicaLag;

beforeEach(() => {
  replicaLag = new ReplicaLag();
  replicaLag.addPrimaryPosition(10n, 1_000);
  replicaLag.addPrimaryPosition(20n, 2_000);
  replicaLag.addPrimaryPosition(20n, 3_000);
  replicaLag.addPrimaryPosition(30n, 4_000);
});

describe('the lag of a replica', () => {
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
