import { ApiKey, ApiKeyAdministration, ApiKeys, generateApiKey, hashApiKey } from '@animal-store/auth';
import { Statements } from '../../libs/persistence/src/statements.js';
import { withClient } from '../support/database-client.js';
import { createMigratedDatabase } from '../support/databases.js';
import { useService } from '../support/service-without-http.js';

/** Settings of the role with which values are written in other ways. */
const OTHER_WAYS = {
  datestyle: 'SQL, DMY',
  timezone: 'Asia/Kolkata',
  intervalstyle: 'iso_8601',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  // Not a way to write, but another setting that is the service's own.
  jit: 'on',
};

async function createDatabaseOfOtherWays() {
  const database = await createMigratedDatabase();
  const { username, pathname } = new URL(database.url);
  await withClient(database.url, async (client) => {
    for (const [name, value] of Object.entries(OTHER_WAYS))
      await client.query(`alter role "${username}" in database "${pathname.slice(1)}" set ${name} = '${value}'`);
  });
  return database;
}

function newHash(): string {
  return hashApiKey(generateApiKey('astest'));
}

describe('on a database whose role writes values in other ways', () => {
  const service = useService(createDatabaseOfOtherWays);

  test('keys are created, listed with their times, rotated and revoked', async () => {
    const administration = service.get(ApiKeyAdministration);
    const expiresAt = new Date('2031-02-03T04:05:06.789Z');
    const [old, young] = [newHash(), newHash()];
    await administration.create(new ApiKey('shop', old, expiresAt), 'me');
    const [listed] = await administration.list();
    expect(listed?.expiresAt).toEqual(expiresAt);
    await administration.rotate(new ApiKey('shop', young), 3_600_000, 'me');
    expect(await administration.revoke('shop', 'me')).toHaveLength(2);
    const found = [await service.get(ApiKeys).findByHash(old), await service.get(ApiKeys).findByHash(young)];
    expect(found.map((key) => key?.end)).toEqual(['revoked', 'revoked']);
  });

  test('statements return the values that the service reads', async () => {
    const text = `select '2031-02-03 04:05:06+00'::timestamptz, '2031-02-03'::date, interval '1 day 2 hours', '\\x01'::bytea, 0.1::float8`;
    expect(await service.get(Statements, { strict: false }).run({ name: '', text }, [])).toEqual([
      ['2031-02-03 04:05:06+00', '2031-02-03', '1 day 02:00:00', Buffer.from([1]), 0.1],
    ]);
  });

  test('statements are not compiled', async () => {
    const statements = service.get(Statements, { strict: false });
    expect(await statements.run({ name: '', text: 'show jit' }, [])).toEqual([['off']]);
  });
});
