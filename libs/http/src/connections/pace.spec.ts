import { jest } from '@jest/globals';
import { Pace } from './pace.js';

const PERIOD_MS = 50;

describe('A pace', () => {
  let passed: string[];
  let pace: Pace;

  beforeEach(() => {
    jest.useFakeTimers();
    passed = [];
    pace = new Pace(100, PERIOD_MS);
  });

  afterEach(() => jest.useRealTimers());

  function come(name: string, bytes: number): () => void {
    const pass = () => {
      passed.push(name);
    };
    if (pace.passes(bytes, pass)) pass();
    return pass;
  }

  test('lets the bytes of a period pass at once, and the others in later periods in the order in which they came', () => {
    for (const name of ['first', 'second', 'third', 'fourth']) come(name, 60);
    expect(passed).toEqual(['first', 'second']);
    jest.advanceTimersByTime(PERIOD_MS);
    expect(passed).toEqual(['first', 'second', 'third', 'fourth']);
  });

  test('lets nobody pass those who wait', () => {
    for (const name of ['first', 'second', 'third']) come(name, 100);
    jest.advanceTimersByTime(PERIOD_MS);
    come('late', 1);
    jest.advanceTimersByTime(PERIOD_MS);
    expect(passed).toEqual(['first', 'second', 'third']);
    jest.advanceTimersByTime(PERIOD_MS);
    expect(passed.at(-1)).toBe('late');
  });

  test('forgets those who leave, and gives their room to the next', () => {
    come('first', 100);
    const pass = come('gone', 100);
    come('next', 100);
    pace.leave(pass);
    jest.advanceTimersByTime(PERIOD_MS);
    expect(passed).toEqual(['first', 'next']);
  });

  test('has its whole room again after a period in which nobody came', () => {
    come('first', 100);
    jest.advanceTimersByTime(PERIOD_MS);
    come('second', 100);
    expect(passed).toEqual(['first', 'second']);
    jest.advanceTimersByTime(PERIOD_MS);
    expect(jest.getTimerCount()).toBe(0);
  });
});
