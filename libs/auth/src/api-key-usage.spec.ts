import { ApiKeyUsage } from './api-key-usage.js';
import { InMemoryApiKeys } from './in-memory-api-keys.js';

const { jest } = import.meta;

describe('the use of keys', () => {
  let marked: (readonly bigint[])[];
  let answer: () => Promise<void>;
  let usage: ApiKeyUsage;

  beforeEach(() => {
    jest.useFakeTimers();
    marked = [];
    answer = () => Promise.resolve();
    const keys = new InMemoryApiKeys();
    jest.spyOn(keys, 'markUsed').mockImplementation((ids) => {
      marked.push(ids);
      return answer();
    });
    usage = new ApiKeyUsage(keys);
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  test('is told a minute later, for all keys at once', async () => {
    for (const id of [1n, 2n, 1n, 1n]) usage.note(id);
    await jest.advanceTimersByTimeAsync(59_999);
    const before = marked.length;
    await jest.advanceTimersByTimeAsync(1);
    expect([before, marked]).toEqual([0, [[1n, 2n]]]);
  });

  test('is told again, with the next one, when the store was away', async () => {
    usage.note(1n);
    answer = () => Promise.reject(new Error('The store is away'));
    await jest.advanceTimersByTimeAsync(60_000);
    usage.note(2n);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(marked).toEqual([[1n], [1n, 2n]]);
  });

  test('is told at the end of the process', async () => {
    usage.note(1n);
    await usage.beforeApplicationShutdown();
    expect(marked).toEqual([[1n]]);
  });

  test('keeps the end of the process waiting for half a second at most', async () => {
    usage.note(1n);
    answer = () => new Promise(() => undefined);
    const end = usage.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(500);
    await expect(end).resolves.toBeUndefined();
  });
});
