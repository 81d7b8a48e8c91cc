import { sleep, waitAfter } from './waiting.js';

describe('The wait before the next attempt', () => {
  test.each([
    [1, 250],
    [2, 500],
    [3, 1_000],
    [6, 8_000],
    [60, 8_000],
  ])('after attempt %i is a random part of %i ms', (attempts, longest) => {
    expect([waitAfter(attempts, 0, 0), waitAfter(attempts, 0, 0.5), waitAfter(attempts, 0, 1)]).toEqual([
      0,
      longest / 2,
      longest,
    ]);
  });

  test('begins after what the service asks for', () => {
    expect(waitAfter(1, 5_000, 0.5)).toBe(5_125);
  });

  test('differs from caller to caller', () => {
    expect(new Set(Array.from({ length: 20 }, () => waitAfter(3))).size).toBeGreaterThan(10);
  });
});

test('A sleep ends with its signal, and leaves no timer', async () => {
  const abort = new AbortController();
  const slept = sleep(60_000, abort.signal).catch((reason: unknown) => reason);
  abort.abort('enough');
  expect(await slept).toBe('enough');
});
