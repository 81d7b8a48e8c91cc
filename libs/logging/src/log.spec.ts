import { requestContext } from '@animal-store/http';
import { Log } from './log.js';

const { jest } = import.meta;

const SECRET = 'Bearer a-key-for-tests-only';

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
  return new Log({ level, isReadable });
}

async function textOf(log: Log): Promise<string> {
  await log.output.flush();
  return written.join('');
}

async function linesOf(log: Log): Promise<Record<string, unknown>[]> {
  return (await textOf(log))
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
    expect(await linesOf(log)).toEqual([
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
    expect(await linesOf(log)).toEqual([]);
  });

  test('tells with each line which request it was written for', async () => {
    await requestContext.run({ requestId: 'abc' }, async () => {
      log.logger.info('At once');
      await Promise.resolve();
      log.logger.info({ answer: 42 }, 'Later');
    });
    expect((await linesOf(log)).map(({ requestId }) => requestId)).toEqual(['abc', 'abc']);
  });

  test('keeps what it tells with one line out of the next line of the same request', async () => {
    requestContext.run({ requestId: 'abc' }, () => {
      log.logger.info({ answer: 42 }, 'First');
      log.logger.info('Second');
    });
    expect((await linesOf(log))[1]).not.toHaveProperty('answer');
  });

  test('names no request outside one', async () => {
    log.logger.info('Started');
    expect((await linesOf(log))[0]).not.toHaveProperty('requestId');
  });

  test.each([
    ['by itself', { authorization: SECRET }],
    ['among header fields', { headers: { authorization: SECRET } }],
    ['in a request', { req: { headers: { authorization: SECRET } } }],
    ['in a request of something', { error: { request: { headers: { authorization: SECRET } } } }],
  ])('never shows an Authorization header: %s', async (_where, value) => {
    log.logger.info(value, 'A slip');
    expect(await textOf(log)).not.toContain(SECRET);
  });

  test.each(['InstanceLoader', 'RouterExplorer', 'RoutesResolver', 'NestFactory', 'NestApplication'])(
    'does not tell what %s of Nest does at every start',
    async (context) => {
      log.logger.info({ context }, 'Assembled');
      expect(await linesOf(log)).toEqual([]);
    },
  );

  test('tells what goes wrong while Nest starts', async () => {
    log.logger.error({ context: 'NestFactory' }, 'Failed');
    expect(await linesOf(log)).toHaveLength(1);
  });

  test.each(['ExceptionHandler', 'NestApplication'])(
    'leaves an error that %s of Nest throws as well to whoever catches it',
    async (context) => {
      log.logger.error({ context, err: new Error('taken') });
      expect(await linesOf(log)).toEqual([]);
    },
  );

  test('tells what Nest does at every start to who asks for it', async () => {
    log = logAt('debug');
    log.logger.info({ context: 'NestFactory' }, 'Assembled');
    expect(await linesOf(log)).toHaveLength(1);
  });
});

describe('the log for people', () => {
  test('never shows an Authorization header either', async () => {
    const log = logAt('info', true);
    log.logger.info({ req: { headers: { authorization: SECRET } } }, 'A slip');
    expect(await textOf(log)).toMatch(/A slip.*\[Redacted\]/);
  });
});

describe('a silent log', () => {
  test('says nothing', async () => {
    const log = logAt('silent');
    log.logger.fatal('Help');
    expect(await textOf(log)).toBe('');
  });
});
