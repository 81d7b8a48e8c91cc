import { retryAfterOf, sleep, waitAfter } from './waiting.js';

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

describe('Retry-After', () => {
  const now = Date.parse('2026-11-23T00:00:00Z');

  test.each([
    ['0', 0],
    ['7', 7_000],
    [' 7 ', 7_000],
    ['Mon, 23 Nov 2026 00:00:30 GMT', 30_000],
    ['Sun, 22 Nov 2026 00:00:00 GMT', 0],
    ['', undefined],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
  ])('%j asks for %s ms', (text, wait) => {
    expect(retryAfterOf(new Headers({ 'retry-after': text }), now)).toBe(wait);
  });

  test('that is a date is compared with the clock of the service', () => {
    const headers = new Headers({
      'retry-after': 'Thu, 05 Dec 2030 00:00:02 GMT',
      date: 'Thu, 05 Dec 2030 00:00:00 GMT',
    });
    expect(retryAfterOf(headers, now)).toBe(2_000);
  });

  test('may be absent', () => {
    expect(retryAfterOf(new Headers(), now)).toBeUndefined();
  });
});

test('A sleep ends with its signal, and leaves no timer', async () => {
  const abort = new AbortController();
  const slept = sleep(60_000, abort.signal).catch((reason: unknown) => reason);
  abort.abort('enough');
  expect(await slept).toBe('enough');
});
