import { Logger } from '@nestjs/common';
import { JitCheck } from './jit-check.js';
import { SqlExecutor, type Row } from './sql/sql-executor.js';

const { jest } = import.meta;

class UnreachableError extends Error {
  readonly code = 'ECONNREFUSED';
}

/** A server that answers the question, once it has failed as often as it should. */
class FakeServer extends SqlExecutor {
  asked = 0;

  constructor(
    private readonly jit: 't' | 'f',
    private readonly failures: Error[] = [],
  ) {
    super();
  }

  override run(): Promise<readonly Row[]> {
    this.asked += 1;
    const failure = this.failures.shift();
    return failure === undefined ? Promise.resolve([[this.jit, '"Shop"']]) : Promise.reject(failure);
  }
}

/** Starts the check, and waits for its end. */
async function check(server: SqlExecutor): Promise<void> {
  const started = new JitCheck(server, 1);
  started.onApplicationBootstrap();
  await started.checked;
}

let warnings: jest.SpiedFunction<Logger['warn']>;

beforeEach(() => {
  Logger.overrideLogger(false);
  warnings = jest.spyOn(Logger.prototype, 'warn');
});

afterEach(() => {
  warnings.mockRestore();
});

test('tells the statement that turns JIT off for the role, where it is on', async () => {
  await check(new FakeServer('t'));
  expect(warnings.mock.calls).toEqual([[expect.stringContaining('alter role "Shop" set jit = off;')]]);
});

test('says nothing where it is off', async () => {
  const server = new FakeServer('f');
  await check(server);
  expect(warnings).not.toHaveBeenCalled();
  expect(server.asked).toBe(1);
});

test('asks again while the database is away, and says it once', async () => {
  const server = new FakeServer('t', [new UnreachableError(), new UnreachableError()]);
  await check(server);
  expect(server.asked).toBe(3);
  expect(warnings).toHaveBeenCalledTimes(1);
});

test('asks a server that does not know the question once', async () => {
  const server = new FakeServer('t', [Object.assign(new Error('no such function'), { code: '42883' })]);
  await check(server);
  expect(server.asked).toBe(1);
  expect(warnings).not.toHaveBeenCalled();
});

test('asks no more once the application shuts down', async () => {
  const server = new FakeServer('t', [new UnreachableError()]);
  const started = new JitCheck(server, 60_000);
  started.onApplicationBootstrap();
  await started.onModuleDestroy();
  expect(server.asked).toBe(1);
});
