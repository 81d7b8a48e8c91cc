import pg from 'pg';
import { ApiKey, ApiKeyAdministration, generateApiKey, hashApiKey } from '@animal-store/auth';
import { migrationOptions, postgresOptions, replicaOptions } from '../../libs/persistence/src/mikro-orm.config.js';
import { withClient } from '../support/database-client.js';
import { createMigratedDatabase } from '../support/databases.js';
import { useService } from '../support/service-without-http.js';

/** PostgreSQL takes its time zone from the machine where the server was made. */
async function createDatabaseElsewhere() {
  const database = await createMigratedDatabase();
  const { username, pathname } = new URL(database.url);
  const role = `"${username}" in database "${pathname.slice(1)}"`;
  await withClient(database.url, (client) =>
    client.query(`alter role ${role} set timezone = 'Asia/Kolkata'; alter role ${role} set jit = on`),
  );
  return database;
}

describe('on a server in another time zone', () => {
  const service = useService(createDatabaseElsewhere);

  test('keys keep their times', async () => {
    const administration = service.get(ApiKeyAdministration);
    const expiresAt = new Date('2031-02-03T04:05:06.789Z');
    const hash = hashApiKey(generateApiKey('astest'));
    await administration.create(new ApiKey('shop', hash, expiresAt), 'me');
    expect(await administration.list()).toMatchObject([{ hash, expiresAt }]);
  });

  test.each([
    ['of the service', (url: string) => postgresOptions(url, 1), 'off'],
    ['of reads', (url: string) => replicaOptions(url, 1), 'off'],
    ['of migrations', (url: string) => migrationOptions(url, []), 'on'],
  ])(
    'the connections %s have the options of the address, and JIT only for migrations',
    async (_what, optionsOf, jit) => {
      const url = new URL(service.database.url);
      url.searchParams.set('options', '-c work_mem=7MB');
      const { dbName, driverOptions } = await optionsOf(url.toString());
      const pool = new pg.Pool({ ...driverOptions, database: dbName });
      const { rows } = await pool.query(`select current_setting('work_mem') as memory, current_setting('jit') as jit`);
      await pool.end();
      expect(rows).toEqual([{ memory: '7MB', jit }]);
    },
  );
});
