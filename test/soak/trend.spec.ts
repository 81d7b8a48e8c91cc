import { growthPerHour, lowestOfEvery, median, percentile } from './trend.js';

describe('the growth in an hour', () => {
  /** Ten minutes of samples, one every ten seconds. */
  const times = Array.from({ length: 60 }, (_, index) => index / 360);

  test('is that of a value that grows all the time', () => {
    expect(growthPerHour(times.map((at) => ({ at, value: 50 + 12 * at })))).toBeCloseTo(12, 6);
  });

  test('is nothing where a value goes up and down', () => {
    expect(Math.abs(growthPerHour(times.map((at, index) => ({ at, value: 50 + (index % 2) }))))).toBeLessThan(1e-9);
  });

  test('is not that of a few values that stick out', () => {
    const points = times.map((at, index) => ({ at, value: index % 5 === 4 ? 500 : 50 + 12 * at }));
    expect(growthPerHour(points)).toBeLessThan(20);
    expect(growthPerHour(points)).toBeGreaterThan(5);
  });

  test('is nothing for a single sample', () => {
    expect(growthPerHour([{ at: 0, value: 5 }])).toBe(0);
  });
});

describe('the growth of the lowest values', () => {
  /** An hour of samples, one every ten seconds. Clients open more connections while the machine is slow. */
  const times = Array.from({ length: 360 }, (_, index) => index / 360);
  const open = (at: number, index: number) => 33 + (index % 4) * (at > 0.3 ? 12 : 2);

  test('is nothing where clients open more connections for a while', () => {
    const points = times.map((at, index) => ({ at, value: open(at, index) }));
    expect(growthPerHour(points)).toBeGreaterThan(4);
    expect(Math.abs(growthPerHour(lowestOfEvery(12, points)))).toBeLessThan(1e-9);
  });

  test('is that of what leaks meanwhile', () => {
    const points = times.map((at, index) => ({ at, value: open(at, index) + 12 * at }));
    expect(growthPerHour(lowestOfEvery(12, points))).toBeCloseTo(12, 0);
  });

  test('is that of values which are fewer than a group', () => {
    expect(
      lowestOfEvery(12, [
        { at: 0, value: 2 },
        { at: 1, value: 1 },
      ]),
    ).toEqual([{ at: 1, value: 1 }]);
  });
});

test('the median of an even number of values is between the two in the middle', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
});

test('the 99th percentile leaves the highest of a hundred values out', () => {
  expect(percentile([...Array.from({ length: 99 }, (_, index) => index + 1), 1_000], 0.99)).toBe(99);
});
