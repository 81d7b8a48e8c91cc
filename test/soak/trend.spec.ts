import { growthPerHour, median, percentile } from './trend.js';

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

test('the median of an even number of values is between the two in the middle', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
});

test('the 99th percentile leaves the highest of a hundred values out', () => {
  expect(percentile([...Array.from({ length: 99 }, (_, index) => index + 1), 1_000], 0.99)).toBe(99);
});
