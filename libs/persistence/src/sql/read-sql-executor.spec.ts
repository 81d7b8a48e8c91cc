import { Logger } from '@nestjs/common';
import { FallbackSqlExecutor } from './read-sql-executor.js';
import { SqlExecutor, type Row } from './sql-executor.js';

const READ = { name: 'read', text: 'select 1' };

/** Answers with its name, or fails. */
class Server extends SqlExecutor {
  asked = 0;
  failure: Error | undefined;

  constructor(private readonly name: string) {
    super();
  }

  override run(): Promise<readonly Row[]> {
    this.asked += 1;
    return this.failure === undefined ? Promise.resolve([[this.name]]) : Promise.reject(this.failure);
  }
}

describe('reads with an address of their own', () => {
  const [primary, reads] = [new Server('primary'), new Server('reads')];
  let executor: FallbackSqlExecutor;

  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  afterAll(() => {
    Logger.overrideLogger(true);
  });

  beforeEach(() => {
    [primary.asked, reads.asked, reads.failure] = [0, 0, undefined];
    executor = new FallbackSqlExecutor(primary, reads);
  });

  test('go there', async () => {
    expect(await executor.run(READ, [])).toEqual([['reads']]);
    expect(primary.asked).toBe(0);
  });

  test('go to the primary while it cannot be reached, and leave it alone for a moment', async () => {
    reads.failure = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    for (let times = 0; times < 3; times += 1) expect(await executor.run(READ, [])).toEqual([['primary']]);
    expect(reads.asked).toBe(1);
  });

  test('go to the primary where it answers with an error, as without a migration, and there the next time', async () => {
    reads.failure = Object.assign(new Error('column does not exist'), { code: '42703' });
    for (let times = 0; times < 2; times += 1) expect(await executor.run(READ, [])).toEqual([['primary']]);
    expect(reads.asked).toBe(2);
  });
});
