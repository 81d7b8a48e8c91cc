import { ThrottledLogger } from './throttled-logger.js';

const { jest } = import.meta;

const error = new Error('connect ECONNREFUSED');

function openLog() {
  const logger = { warn: jest.fn() };
  return { lines: logger.warn.mock.calls as unknown[][], warnings: new ThrottledLogger(logger) };
}

describe('ThrottledLogger', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  test('logs the first of its kind at once', () => {
    const { lines, warnings } = openLog();
    warnings.warn('Away', error);
    expect(lines).toEqual([[{ err: error }, 'Away']]);
  });

  test('tells how many were left out with the next line', () => {
    const { lines, warnings } = openLog();
    for (let time = 0; time < 5; time++) warnings.warn('Away', error);
    jest.advanceTimersByTime(1_000);
    warnings.warn('Away', error);
    expect(lines[1]).toEqual([{ err: error, repeated: 4 }, 'Away']);
  });

  test('lets no message hide another', () => {
    const { lines, warnings } = openLog();
    warnings.warn('Away', error);
    warnings.warn('Overloaded', error);
    expect(lines.map(([, message]) => message)).toEqual(['Away', 'Overloaded']);
  });
});
