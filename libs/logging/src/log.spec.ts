import { AsyncLocalStorage } from 'node:async_hooks';
import { CapturedLog } from '../../../test/support/captured-log.js';
import { Log } from './log.js';

const SECRET = 'Bearer a-key-for-tests-only';

const requests = new AsyncLocalStorage<{ readonly requestId: string }>();

let output: CapturedLog;

beforeEach(() => {
  output = new CapturedLog();
});

afterEach(() => {
  output.release();
});

function logAt(level: string, isPretty = false): Log {
  return new Log({ level, isPretty, currentFields: () => requests.getStore() });
}

describe('the log', () => {
  let log: Log;

  beforeEach(() => {
    log = logAt('info');
  });

  test('is one JSON object a line, with the time as people write it', async () => {
    log.logger.info({ answer: 42 }, 'Found');
    log.logger.debug('Below the level');
    expect(await output.lines()).toEqual([
      expect.objectContaining({
        level: 'info',
        msg: 'Found',
        answer: 42,
        time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string,
      }),
    ]);
  });

  test('names the request that a line was written for, and no field of another line', async () => {
    await requests.run({ requestId: 'abc' }, async () => {
      log.logger.info({ answer: 42 }, 'At once');
      await Promise.resolve();
      log.logger.info('Later');
    });
    log.logger.info('Outside');
    expect((await output.lines()).map(({ requestId, answer }) => [requestId, answer])).toEqual([
      ['abc', 42],
      ['abc', undefined],
      [undefined, undefined],
    ]);
  });

  test.each([
    ['by itself', { authorization: SECRET }],
    ['among header fields', { headers: { authorization: SECRET } }],
    ['in a request', { req: { headers: { authorization: SECRET } } }],
  ])('leaves out an Authorization header that is logged by mistake: %s', async (_where, value) => {
    log.logger.info(value, 'A slip');
    expect(await output.lines()).toHaveLength(1);
    expect(output.text).not.toContain(SECRET);
  });

  test('has the lines of Nest, except those of every start, and errors that are thrown as well', async () => {
    const nest = log.forNest();
    nest.log('Assembled', 'InstanceLoader');
    nest.error(new Error('taken'), 'ExceptionHandler');
    nest.error('Failed', 'NestFactory');
    nest.warn('Slow', 'Vets');
    expect((await output.lines()).map(({ level, context, msg }) => [level, context, msg])).toEqual([
      ['error', 'NestFactory', 'Failed'],
      ['warn', 'Vets', 'Slow'],
    ]);
  });

  test.each<[unknown[], object]>([
    [
      ['Failed', 'Error: gone\n    at here (a.js:1:2)'],
      { msg: 'Failed', err: { stack: expect.any(String) as string } },
    ],
    [['Failed', new Error('gone')], { msg: 'Failed', err: { message: 'gone' } }],
    [[new Error('gone')], { msg: 'gone', err: { message: 'gone' } }],
    [[{ err: new Error('gone') }, 'Failed'], { msg: 'Failed', err: { message: 'gone' } }],
    [['Failed', 'twice', { id: 7 }], { msg: 'Failed twice', id: 7 }],
    [['Failed', undefined], { msg: 'Failed' }],
  ])('has all that is given to a logger of Nest: %j', async (given, line) => {
    log.forNest().error(...(given as [unknown]), 'Vets');
    expect(await output.lines()).toMatchObject([{ ...line, context: 'Vets' }]);
  });

  test.each<[unknown[], object]>([
    [['Failed'], { msg: 'Failed' }],
    [[new Error('gone')], { msg: 'gone', err: { message: 'gone' } }],
    [
      ['Failed', 'Error: gone\n    at here (a.js:1:2)'],
      { msg: 'Failed', err: { stack: expect.any(String) as string } },
    ],
  ])('has what is given to a logger of Nest without a context: %j', async (given, line) => {
    log.forNest().error(...(given as [unknown]));
    expect(await output.lines()).toMatchObject([line]);
  });
});

describe('the log that cannot be written', () => {
  const FULL = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

  test('counts that, and keeps its lines until it can be written again', async () => {
    const log = logAt('info');
    output.failure = FULL;
    for (const line of ['One', 'Two']) {
      log.logger.info(line);
      await output.lines();
    }
    expect(log.lostLines).toBeGreaterThan(1);
    output.failure = undefined;
    log.logger.info('Three');
    expect((await output.lines()).map(({ msg }) => msg)).toEqual(['One', 'Two', 'Three']);
  });

  test('loses the lines beyond a bound, and counts them', async () => {
    const log = logAt('info');
    output.failure = FULL;
    for (let line = 0; line < 3_000; line += 1) log.logger.info('x'.repeat(1_000));
    await output.lines();
    // Pino tells the first failed write twice.
    const failures = 2;
    output.failure = undefined;
    log.logger.info('Last');
    expect((await output.lines()).length + log.lostLines - failures).toBe(3_001);
    expect(output.text.length).toBeLessThan(1.1 * 1024 ** 2);
  });
});
