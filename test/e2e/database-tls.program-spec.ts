import { setTimeout as delay } from 'node:timers/promises';
import { BuiltProgram } from '../support/built-program.js';
import { withClient } from '../support/database-client.js';
import { certificateFile, startTlsDatabase, type TlsDatabase } from '../support/tls-database.js';

const KEY = 'sixteen-characters';
const VERIFIED = { sslmode: 'verify-full', sslrootcert: certificateFile('authority') };

let database: TlsDatabase;

beforeAll(async () => {
  database = await startTlsDatabase();
  await database.present('server');
}, 120_000);

afterAll(() => database.stop());

function variablesOf(DATABASE_URL: string): Record<string, string> {
  return { NODE_ENV: 'production', BOOTSTRAP_API_KEY: KEY, LOG_LEVEL: 'info', DATABASE_URL };
}

function start(program: 'cli/keys' | 'cli/migrate' | 'main', variables: Record<string, string>): BuiltProgram {
  return new BuiltProgram(program, variables, program === 'cli/keys' ? ['list'] : []);
}

/** The connections of the service: the role, and whether the connection is encrypted. */
async function connections(): Promise<Record<string, boolean>> {
  const statement = `select usename as role, ssl from pg_stat_ssl join pg_stat_activity using (pid)
                     where application_name = 'animal-store'`;
  const { rows } = await withClient(database.url('postgres'), (client) =>
    client.query<{ role: string; ssl: boolean }>(statement),
  );
  return Object.fromEntries(rows.map(({ role, ssl }) => [role, ssl]));
}

test('migration, keys, service and reads reach a server that takes nothing but TLS', async () => {
  const variables = variablesOf(database.url('tls_only', VERIFIED));
  const migration = start('cli/migrate', variables);
  expect(await migration.ended()).toBe(0);
  expect(await start('cli/keys', variables).ended()).toBe(0);

  const reads = { DATABASE_READ_URL: database.url('shop', VERIFIED) };
  const server = start('main', { ...variables, ...reads });
  const url = await server.listening();
  expect((await fetch(`${url}/v1/pets`, { headers: { authorization: `Bearer ${KEY}` } })).status).toBe(200);
  while (!('shop' in (await connections()))) await delay(50);
  expect(await connections()).toEqual({ tls_only: true, shop: true });
  await server.kill('SIGTERM');
});
