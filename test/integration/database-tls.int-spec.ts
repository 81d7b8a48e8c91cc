import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import { postgresOptions } from '../../libs/persistence/src/mikro-orm.config.js';
import {
  certificateFile,
  keyFile,
  startTlsDatabase,
  type CertificateName,
  type TlsDatabase,
} from '../support/tls-database.js';

const CA = { sslrootcert: certificateFile('authority') };

const NO_TLS = 'The server does not support SSL connections';
const SELF_SIGNED = 'self-signed certificate';
const WRONG_NAME = "IP: 127.0.0.1 is not in the cert's list";

/** The results of each mode with four servers: a valid certificate, a self-signed one, one for another name, and no TLS. */
const SERVERS: readonly (CertificateName | undefined)[] = ['server', 'self-signed', 'wrong-name', undefined];
const MATRIX: readonly [string, Record<string, string>, readonly string[]][] = [
  ['disable', { sslmode: 'disable' }, ['clear', 'clear', 'clear', 'clear']],
  ['require', { sslmode: 'require' }, ['TLS', 'TLS', 'TLS', NO_TLS]],
  ['require with an authority', { sslmode: 'require', ...CA }, ['TLS', SELF_SIGNED, 'TLS', NO_TLS]],
  ['verify-ca', { sslmode: 'verify-ca', ...CA }, ['TLS', SELF_SIGNED, 'TLS', NO_TLS]],
  ['verify-full', { sslmode: 'verify-full', ...CA }, ['TLS', SELF_SIGNED, WRONG_NAME, NO_TLS]],
];

let database: TlsDatabase;
let folder: string;

beforeAll(async () => {
  database = await startTlsDatabase();
  folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
});

afterAll(async () => {
  await database.stop();
  rmSync(folder, { recursive: true });
});

/** Whether a connection of the service was encrypted. If the connection failed, the reason. */
async function outcome(url: string): Promise<string> {
  const orm = new MikroORM({ ...postgresOptions(url, 1), discovery: { warnWhenNoEntities: false } });
  try {
    return await encryption(orm);
  } catch (error) {
    return (error as Error).message;
  } finally {
    await orm.close();
  }
}

async function encryption(orm: MikroORM): Promise<string> {
  const statement = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';
  const [row] = await orm.em.execute<{ ssl: boolean }[]>(statement);
  return row?.ssl === true ? 'TLS' : 'clear';
}

/** A copy of the file that no other user can read. */
function ownFile(source: string, name: string): string {
  const file = join(folder, name);
  copyFileSync(source, file);
  chmodSync(file, 0o600);
  return file;
}

describe.each(SERVERS.map((certificate, index) => ({ certificate, index })))(
  'at a server with the certificate $certificate',
  ({ certificate, index }) => {
    beforeAll(() => database.present(certificate));

    test.each(MATRIX)('%s comes to what libpq comes to', async (_name, parameters, outcomes) => {
      expect(await outcome(database.url('shop', parameters))).toContain(outcomes[index]);
    });
  },
);

describe('at a server with TLS', () => {
  beforeAll(() => database.present('server'));

  test('verify-full looks for the name that the address has', async () => {
    const url = new URL(database.url('shop', { sslmode: 'verify-full', ...CA }));
    url.hostname = 'localhost';
    expect(await outcome(url.toString())).toBe('TLS');
    await database.present('wrong-name');
    expect(await outcome(url.toString())).toContain("Host: localhost. is not in the cert's altnames");
    await database.present('server');
  });

  test('require does not go on without TLS where the server wants none', async () => {
    expect(await outcome(database.url('clear_only', { sslmode: 'require' }))).toMatch(/no pg_hba.conf entry.*SSL/);
  });

  test('a client certificate opens, and another does not', async () => {
    const sslkey = ownFile(keyFile('client'), 'client.key');
    const parameters = { sslmode: 'verify-full', ...CA, sslcert: certificateFile('client'), sslkey };
    expect(await outcome(database.url('certified', parameters))).toBe('TLS');
    const unknown = {
      sslcert: certificateFile('self-signed'),
      sslkey: ownFile(keyFile('self-signed'), 'unknown'),
    };
    expect(await outcome(database.url('certified', { ...parameters, ...unknown }))).toMatch(/unknown ca/i);
    expect(await outcome(database.url('certified', { sslmode: 'verify-full', ...CA }))).toMatch(/certificate/);
  });
});
