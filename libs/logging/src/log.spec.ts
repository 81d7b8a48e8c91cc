import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { Log } from './log.js';

const { jest } = import.meta;

const SECRET = 'Bearer a-key-for-tests-only';

const requests = new AsyncLocalStorage<{ readonly requestId: string }>();

let written: string[];

/** What the process would write, it notes down. */
beforeEach(() => {
  written = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((data: unknown) => written.push(String(data)) > 0);
});

afterEach(() => {
  jest.restoreAllMocks();
});

function logAt(level: string, isReadable = false): Log {
  return new Log({ level, isReadable, currentFields: () => requests.getStore() });
}

async function textWritten(): Promise<string> {
  await turn();
  return written.join('');
}

async function linesWritten(): Promise<Record<string, unknown>[]> {
  return (await textWritten())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log', () => {
  let log: Log;

  beforeEach(() => {
    log = logAt('info');
  });

  test('is one JSON object a line, with the time as people write it', async () => {
    log.logger.info({ answer: 42 }, 'Found');
    expect(await linesWritten()).toEqual([
      expect.objectContaining({
        level: 'info',
        msg: 'Found',
        answer: 42,
        time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string,
      }),
    ]);
  });

  test('leaves out what is below its level', async () => {
    log.logger.debug('Nobody asked');
    expect(await linesWritten()).toEqual([]);
  });

  test('tells with each line which request it was written for', async () => {
    await requests.run({ requestId: 'abc' }, async () => {
      log.logger.info('At once');
      await Promise.resolve();
      log.logger.info({ answer: 42 }, 'Later');
    });
    expect((await linesWritten()).map(({ requestId }) => requestId)).toEqual(['abc', 'abc']);
  });

  test('keeps what it tells with one line out of the next line of the same request', async () => {
    requests.run({ requestId: 'abc' }, () => {
      log.logger.info({ answer: 42 }, 'First');
      log.logger.info('Second');
    });
    expect((await linesWritten())[1]).not.toHaveProperty('answer');
  });

  test('names no request outside one', async () => {
    log.logger.info('Started');
    expect((await linesWritten())[0]).not.toHaveProperty('requestId');
  });

  test.each([
    ['by itself', { authorization: SECRET }],
    ['among header fields', { headers: { authorization: SECRET } }],
    ['in a request', { req: { headers: { authorization: SECRET } } }],
  ])('leaves out an Authorization header that is logged by mistake: %s', async (_where, value) => {
    log.logger.info(value, 'A slip');
    expect(await textWritten()).not.toContain(SECRET);
  });

  test.each(['InstanceLoader', 'RouterExplorer', 'RoutesResolver', 'NestFactory', 'NestApplication'])(
    'does not tell what %s of Nest does at every start',
    async (context) => {
      log.forNest().log('Assembled', context);
      expect(await linesWritten()).toEqual([]);
    },
  );

  test('tells what goes wrong while Nest starts', async () => {
    log.forNest().error('Failed', 'NestFactory');
    expect(await linesWritten()).toHaveLength(1);
  });

  test.each(['ExceptionHandler', 'NestApplication'])(
    'leaves an error that %s of Nest throws as well to whoever catches it',
    async (context) => {
      log.forNest().error(new Error('taken'), context);
      expect(await linesWritten()).toEqual([]);
    },
  );

  test('tells what Nest does at every start to who asks for it', async () => {
    log = logAt('debug');
    log.forNest().log('Assembled', 'NestFactory');
    expect(await linesWritten()).toMatchObject([{ context: 'NestFactory', msg: 'Assembled' }]);
  });
});

describe('the log for people', () => {
  test('is not JSON, and has a text below the lines before it', async () => {
    const log = logAt('info', true);
    log.logger.info({ answer: 42 }, 'Found');
    log.print('The end');
    expect(await textWritten()).toMatch(/Found.*\n(?:.*\n)*The end\n$/);
    expect(written.join('')).not.toContain('"level"');
  });
});

describe('the log that cannot be written', () => {
  test('counts the lines that it loses, and tells of them once when it can be written again', async () => {
    const log = logAt('info');
    const fullDisk = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    jest.spyOn(process.stdout, 'write').mockImplementation((_data: unknown, done: unknown) => {
      (done as (error: Error) => void)(fullDisk);
      return false;
    });
    log.logger.info('One');
    log.logger.info('Two');
    await turn();
    log.logger.info('Three');
    await turn();
    jest.spyOn(process.stdout, 'write').mockImplementation((data: unknown, done: unknown) => {
      written.push(String(data));
      (done as () => void)();
      return true;
    });
    log.logger.info('Four');
    await turn();
    log.logger.info('Five');
    await turn();
    expect(log.lostLines).toBe(3);
    expect((await linesWritten()).map(({ msg, lost }) => [msg, lost])).toEqual([
      ['Four', undefined],
      [expect.stringContaining('were lost'), 3],
      ['Five', undefined],
    ]);
  });
});

describe('a silent log', () => {
  test('says nothing', async () => {
    const log = logAt('silent');
    log.logger.fatal('Help');
    expect(await textWritten()).toBe('');
  });
});
