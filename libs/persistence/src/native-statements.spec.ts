import { Logger } from '@nestjs/common';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { jest } from '@jest/globals';
import { ExtendedQuery, MissingPartError } from './accelerators/extended-query.js';
import { NativeStatements } from './native-statements.js';

/** An entity manager whose pool answers queries of its own, and others as `extended` says. */
function managerWith(extended: () => Promise<unknown>): { manager: SqlEntityManager; queries: string[] } {
  const queries: string[] = [];
  const pool = {
    query: (query: object) => {
      queries.push(query instanceof ExtendedQuery ? 'extended' : 'of pg');
      return query instanceof ExtendedQuery ? extended() : Promise.resolve({ rows: [['by pg']] });
    },
  };
  const manager = { getConnection: () => ({ getNativeClient: () => Promise.resolve(pool) }) };
  return { manager: manager as unknown as SqlEntityManager, queries };
}

const STATEMENT = { name: 'one', text: 'select 1' };

describe('a statement', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);

  beforeEach(() => {
    warn.mockClear();
  });

  test('goes the public way, with one warning, where a release of pg has moved a part', async () => {
    const { manager, queries } = managerWith(() => Promise.reject(new MissingPartError('bind')));
    const statements = new NativeStatements(manager);
    const rows = await Promise.all([statements.run(STATEMENT, []), statements.run(STATEMENT, [])]);
    expect([...rows, await statements.run(STATEMENT, [])]).toEqual([[['by pg']], [['by pg']], [['by pg']]]);
    expect(queries).toEqual(['extended', 'extended', 'of pg', 'of pg', 'of pg']);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('goes the public way where the accelerator is switched off', async () => {
    const { manager, queries } = managerWith(() => Promise.reject(new Error('unused')));
    expect(await new NativeStatements(manager, { extendedQuery: false }).run(STATEMENT, [])).toEqual([['by pg']]);
    expect(queries).toEqual(['of pg']);
  });

  test('is not sent again after an error of the database', async () => {
    const { manager, queries } = managerWith(() => Promise.reject(new Error('deadlock detected')));
    await expect(new NativeStatements(manager).run(STATEMENT, [])).rejects.toThrow('deadlock detected');
    expect(queries).toEqual(['extended']);
  });
});
