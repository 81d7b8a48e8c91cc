import { ApiKeyUsage } from '../src/api-key-usage.js';
import { InMemoryApiKeys } from '../../../test/support/in-memory-api-keys.js';

const { jest } = import.meta;

const START = new Date('2027-01-01T00:00:00Z');

function secondsAfterStart(seconds: number): Date {
  return new Date(START.getTime() + seconds * 1_000);
}

describe('the use of keys', () => {
  let marked: (readonly [bigint, Date])[][];
  let answer: () => Promise<void>;
  let usage: ApiKeyUsage;

  beforeEach(() => {
    jest.useFakeTimers({ now: START });
    marked = [];
    answer = () => Promise.resolve();
    const keys = new InMemoryApiKeys();
    jest.spyOn(keys, 'markUsed').mockImplementation((uses) => {
      marked.push([...uses]);
      return answer();
    });
    usage = new ApiKeyUsage(keys);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  test('is told a minute later, for all keys at once, with the time of the last one of each', async () => {
    usage.note(1n);
    usage.note(2n);
    await jest.advanceTimersByTimeAsync(20_000);
    usage.note(1n);
    await jest.advanceTimersByTimeAsync(39_999);
    const before = marked.length;
    await jest.advanceTimersByTimeAsync(1);
    const uses = [
      [1n, secondsAfterStart(20)],
      [2n, START],
    ];
    expect([before, marked]).toEqual([0, [uses]]);
  });

  test('is told again a minute later, with the times of then, when the store was unavailable', async () => {
    usage.note(1n);
    answer = () => Promise.reject(new Error('The store is unavailable'));
    await jest.advanceTimersByTimeAsync(60_000);
    answer = () => Promise.resolve();
    usage.note(2n);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(marked).toEqual([
      [[1n, START]],
      [
        [1n, START],
        [2n, secondsAfterStart(60)],
      ],
    ]);
  });

  test('is told at the end of the process', async () => {
    usage.note(1n);
    await usage.beforeApplicationShutdown();
    expect(marked).toEqual([[[1n, START]]]);
  });
});
