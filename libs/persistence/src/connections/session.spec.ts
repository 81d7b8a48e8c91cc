import type pg from 'pg';
import { isConnectionLost, isDatabaseUnavailable } from '../errors/database-errors.js';
import { preparePrimarySession, prepareSession } from './session.js';

/** A new connection to a server that is a standby or not. */
function connectionTo(role: 'primary' | 'standby') {
  const sent: string[] = [];
  const query = (text: string) => {
    sent.push(text);
    return Promise.resolve([{ rows: [] }, { rows: [{ pg_is_in_recovery: role === 'standby' }] }]);
  };
  return { client: { query } as unknown as pg.ClientBase, sent };
}

describe('a new connection', () => {
  test('to a standby is refused for the primary: the database is away, and no statement was under way', async () => {
    const error: unknown = await preparePrimarySession(connectionTo('standby').client).catch(
      (reason: unknown) => reason,
    );
    expect([isDatabaseUnavailable(error), isConnectionLost(error)]).toEqual([true, false]);
  });

  test.each([
    ['the primary', 'primary', preparePrimarySession],
    ['the address of reads', 'standby', prepareSession],
  ] as const)('for %s writes values as the service reads them', async (_what, role, prepare) => {
    const { client, sent } = connectionTo(role);
    await prepare(client);
    expect(sent.join()).toContain("set datestyle = 'ISO'");
  });
});
