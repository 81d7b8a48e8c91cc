import type { Logger } from 'pino';
import { requestContext } from '@animal-store/http';
import { LogOutput } from './log-output.js';
import { createLogger } from './logger.js';

const { jest } = import.meta;

const SECRET = 'Bearer a-key-for-tests-only';

let written: string[];

/** What the process would write, it notes down. */
beforeEach(() => {
  written = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((data: unknown) => written.push(String(data)) > 0);
});

function loggerAt(level: string, readable = false): Logger {
  return createLogger(level, new LogOutput({ readable, bufferBytes: 65_536 }).stream);
}

afterEach(() => {
  jest.restoreAllMocks();
});

function lines(): Record<string, unknown>[] {
  return written
    .join('')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log', () => {
  let logger: Logger;

  beforeEach(() => {
    logger = loggerAt('info');
  });

  test('is one JSON object a line, with the time as people write it', () => {
    logger.info({ answer: 42 }, 'Found');
    expect(lines()).toEqual([
      expect.objectContaining({
        level: 30,
        msg: 'Found',
        answer: 42,
        time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/) as string,
      }),
    ]);
  });

  test('leaves out what is below its level', () => {
    logger.debug('Nobody asked');
    expect(lines()).toEqual([]);
  });

  test('tells with each line which request it was written for', async () => {
    await requestContext.run({ requestId: 'abc' }, async () => {
      logger.info('At once');
      await Promise.resolve();
      logger.info({ answer: 42 }, 'Later');
    });
    expect(lines().map(({ requestId }) => requestId)).toEqual(['abc', 'abc']);
  });

  test('tells requests apart that are served at the same time', async () => {
    await Promise.all(
      ['a', 'b'].map((requestId) =>
        requestContext.run({ requestId }, async () => {
          await Promise.resolve();
          logger.info(requestId);
        }),
      ),
    );
    expect(lines().map(({ requestId, msg }) => [requestId, msg])).toEqual([
      ['a', 'a'],
      ['b', 'b'],
    ]);
  });

  test('keeps what it tells with one line out of the next line of the same request', () => {
    requestContext.run({ requestId: 'abc' }, () => {
      logger.info({ answer: 42 }, 'First');
      logger.info('Second');
    });
    expect(lines()[1]).not.toHaveProperty('answer');
  });

  test('names no request outside one', () => {
    logger.info('Started');
    expect(lines()[0]).not.toHaveProperty('requestId');
  });

  test.each([
    ['by itself', { authorization: SECRET }],
    ['among header fields', { headers: { authorization: SECRET } }],
    ['in a request', { req: { headers: { authorization: SECRET } } }],
    ['in a request of something', { error: { request: { headers: { authorization: SECRET } } } }],
  ])('never shows an Authorization header: %s', (_where, value) => {
    logger.info(value, 'A slip');
    expect(written.join('')).not.toContain(SECRET);
  });

  test.each(['InstanceLoader', 'RouterExplorer', 'RoutesResolver', 'NestFactory', 'NestApplication'])(
    'does not tell what %s of Nest does at every start',
    (context) => {
      logger.info({ context }, 'Assembled');
      expect(lines()).toEqual([]);
    },
  );

  test('tells what goes wrong while Nest starts', () => {
    logger.error({ context: 'NestFactory' }, 'Failed');
    expect(lines()).toHaveLength(1);
  });

  test.each(['ExceptionHandler', 'NestApplication'])(
    'leaves an error that %s of Nest throws as well to whoever catches it',
    (context) => {
      logger.error({ context, err: new Error('taken') });
      expect(lines()).toEqual([]);
    },
  );

  test('tells what Nest does at every start to who asks for it', () => {
    loggerAt('debug').info({ context: 'NestFactory' }, 'Assembled');
    expect(lines()).toHaveLength(1);
  });
});

describe('the log for people', () => {
  test('never shows an Authorization header either', () => {
    loggerAt('info', true).info({ req: { headers: { authorization: SECRET } } }, 'A slip');
    expect(written.join('')).toMatch(/A slip.*\[Redacted\]/);
  });
});

describe('a silent log', () => {
  test('says nothing', () => {
    loggerAt('silent').fatal('Help');
    expect(written).toEqual([]);
  });
});
