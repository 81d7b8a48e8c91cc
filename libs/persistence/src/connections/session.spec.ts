import type pg from 'pg';
import { isConnectionLost, isDatabaseUnavailable } from '../errors/database-errors.js';
import { preparePrimarySession } from './session.js';

test('a connection to a standby is refused for the primary: the database is away, and no statement was under way', async () => {
  const query = () => Promise.resolve({ rows: [{ standby: true }] });
  const error: unknown = await preparePrimarySession({ query } as unknown as pg.ClientBase).catch((e: unknown) => e);
  expect([isDatabaseUnavailable(error), isConnectionLost(error)]).toEqual([true, false]);
});
