import { chmodSync, chownSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startLocalServer, unprivilegedUser } from './postgres-server.js';
import { withClient } from './database-client.js';

const CERTIFICATES = join(import.meta.dirname, 'certificates');

/** The certificates that `certificates/make.sh` created. All but that of the authority have a file with their key. */
export type CertificateName = 'authority' | 'server' | 'wrong-name' | 'self-signed' | 'client';

export function certificateFile(name: CertificateName): string {
  return join(CERTIFICATES, `${name}.crt`);
}

/** The key file as git stores it: other users may read it. */
export function keyFile(name: CertificateName): string {
  return join(CERTIFICATES, `${name}.key`);
}

/** The password of every role but `postgres`. */
const PASSWORD = 's3cret of the database';

/**
 * The permitted ways to connect. The test itself connects in clear as `postgres`, without a password. `shop` needs its
 * password, `certified` a certificate with its name. `tls_only` cannot connect without TLS, `clear_only` not with TLS.
 */
const RULES = `host all postgres 127.0.0.1/32 trust
host all shop 127.0.0.1/32 password
hostssl all tls_only 127.0.0.1/32 password
hostnossl all clear_only 127.0.0.1/32 password
hostssl all certified 127.0.0.1/32 cert map=certified
`;

/** A PostgreSQL server whose certificate can be replaced or removed while the server runs. */
export interface TlsDatabase {
  /** The address of the database `postgres`, for a role that connects. */
  url(role: string, parameters?: Record<string, string>): string;
  /** Sets the certificate for new connections; `undefined`: the server has no TLS. */
  present(certificate: CertificateName | undefined): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server from the local binaries, whatever server the test run uses. */
export async function startTlsDatabase(): Promise<TlsDatabase> {
  const server = await startLocalServer();
  const [data] = await withClient(server.url, async (client) => {
    for (const role of ['shop', 'tls_only', 'clear_only', 'certified'])
      await client.query(`create role ${role} superuser login password '${PASSWORD}'`);
    const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
    return rows.map(({ folder }) => folder);
  });
  const own = (file: string) => {
    const path = join(data!, file);
    const owner = unprivilegedUser();
    if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
    chmodSync(path, 0o600);
  };
  const copy = (from: string, file: string) => {
    copyFileSync(from, join(data!, file));
    own(file);
  };
  writeFileSync(join(data!, 'pg_hba.conf'), RULES);
  writeFileSync(join(data!, 'pg_ident.conf'), 'certified postgres certified\n');
  copy(certificateFile('authority'), 'authority.crt');

  const set = async (settings: Record<string, string>) => {
    await withClient(server.url, async (client) => {
      for (const [name, value] of Object.entries(settings)) await client.query(`alter system set ${name} = '${value}'`);
      await client.query('select pg_reload_conf()');
    });
    // A new session shows the settings of all later sessions.
    for (const [name, value] of Object.entries(settings)) {
      const shown = () =>
        withClient(server.url, async (client) => (await client.query(`show ${name}`)).rows[0] as object);
      while (Object.values(await shown())[0] !== value) await delay(10);
    }
  };
  return {
    url: (role, parameters = {}) => {
      const url = new URL(server.url);
      url.username = role;
      if (role !== 'certified') url.password = PASSWORD;
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.toString();
    },
    present: async (certificate) => {
      if (certificate === undefined) {
        await set({ ssl: 'off' });
        return;
      }
      copy(certificateFile(certificate), `${certificate}.crt`);
      copy(keyFile(certificate), `${certificate}.key`);
      await set({
        ssl_ca_file: 'authority.crt',
        ssl_cert_file: `${certificate}.crt`,
        ssl_key_file: `${certificate}.key`,
      });
      await set({ ssl: 'on' });
    },
    stop: () => server.stop(),
  };
}
