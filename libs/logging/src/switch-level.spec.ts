import { Log } from './log.js';
import { switchLevelOnSignal } from './switch-level.js';

const { jest } = import.meta;

let written: string[];

beforeEach(() => {
  written = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((data: unknown) => written.push(String(data)) > 0);
});

afterEach(() => {
  process.removeAllListeners('SIGUSR2');
  jest.restoreAllMocks();
});

/** A log that programs read, and that follows the signal. */
function logAt(level: string): Log {
  const log = new Log({ level, isReadable: false, bufferBytes: 1024 ** 2 });
  switchLevelOnSignal(log);
  return log;
}

describe('the log at SIGUSR2', () => {
  test.each([
    ['info', ['debug', 'info', 'debug']],
    ['warn', ['debug', 'warn', 'debug']],
    ['silent', ['debug', 'silent', 'debug']],
    ['debug', ['info', 'debug', 'info']],
    ['trace', ['info', 'debug', 'info']],
  ])('goes from %s to %j', (level, levels) => {
    const log = logAt(level);
    const seen = levels.map(() => {
      process.emit('SIGUSR2');
      return log.level;
    });
    expect(seen).toEqual(levels);
  });

  test('tells what it told not before, the lines of requests among it', () => {
    const log = logAt('warn');
    process.emit('SIGUSR2');
    log.logger.debug('a detail');
    log.accessLogger.info('request');
    expect(written.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'The level of the log is debug now',
      'a detail',
      'request',
    ]);
  });

  test('says that it tells less again', () => {
    logAt('error');
    process.emit('SIGUSR2');
    process.emit('SIGUSR2');
    expect(written.at(-1)).toContain('The level of the log is error now');
  });
});
