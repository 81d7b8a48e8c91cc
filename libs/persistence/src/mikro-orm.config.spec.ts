import type pg from 'pg';
import { isConnectionLost, isDatabaseUnavailable } from './errors/database-errors.js';
import { postgresOptions } from './mikro-orm.config.js';

test('a connection to a standby is refused for the primary: the database is away, and no statement was under way', async () => {
  const { onConnect } = postgresOptions('postgresql://db/pets', 1).driverOptions;
  const query = () => Promise.resolve({ rows: [{ standby: true }] });
  const error: unknown = await onConnect({ query } as unknown as pg.ClientBase).catch((e: unknown) => e);
  expect([isDatabaseUnavailable(error), isConnectionLost(error)]).toEqual([true, false]);
});
