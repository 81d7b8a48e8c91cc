import type { SqlEntityManager } from '@mikro-orm/sql';
import { PoolSqlExecutor } from './pool-sql-executor.js';

describe('a statement', () => {
  test('is not sent again after an error of the database', async () => {
    let sent = 0;
    const query = () => {
      sent += 1;
      return Promise.reject(new Error('deadlock detected'));
    };
    const manager = { getConnection: () => ({ getNativeClient: () => Promise.resolve({ query }) }) };
    const statements = new PoolSqlExecutor(manager as unknown as SqlEntityManager);
    await expect(statements.run({ name: 'one', text: 'select 1' }, [])).rejects.toThrow('deadlock detected');
    expect(sent).toBe(1);
  });
});
