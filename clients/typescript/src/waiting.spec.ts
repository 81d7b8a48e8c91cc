import { sleep, waitAfter } from './waiting.js';

describe('The wait before the next attempt', () => {
  test.each([
    [1, 250],
    [2, 500],
    [5, 4_000],
    [60, 4_000],
  ])('after attempt %i is between half and all of %i ms', (attempts, longest) => {
    expect([waitAfter(attempts, 0, 0), waitAfter(attempts, 0, 1)]).toEqual([longest / 2, longest]);
  });

  test('begins after what the service asks for', () => {
    expect(waitAfter(1, 5_000, 1)).toBe(5_250);
  });
});

test('A sleep ends with its signal, also with one that has aborted already', async () => {
  const abort = new AbortController();
  const slept = sleep(60_000, abort.signal).catch((reason: unknown) => reason);
  abort.abort('enough');
  expect(await slept).toBe('enough');
  await expect(sleep(60_000, abort.signal)).rejects.toBe('enough');
});
