import { execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { migrateServer } from '@animal-store/persistence';
import { startLocalServer, unprivilegedUser, type LocalPostgresServer } from '../support/postgres-server.js';
import { withClient } from '../support/database-client.js';

/** The name of the database and of its owner. The owner is not a superuser, so the limits of roles apply to it. */
export const NAME = 'test_alerts';

/** A migrated database on a server of its own, on which a test causes faults as the superuser. */
export class OwnedDatabase {
  private constructor(readonly server: LocalPostgresServer) {}

  static async start(): Promise<OwnedDatabase> {
    const database = new OwnedDatabase(await startLocalServer());
    await withClient(database.server.url, async (client) => {
      await client.query(`create role ${NAME} login`);
      await client.query(`create database ${NAME} owner ${NAME}`);
    });
    await migrateServer(database.url(NAME));
    return database;
  }

  url(user: string): string {
    const url = new URL(this.server.url);
    url.username = user;
    url.pathname = NAME;
    return url.toString();
  }

  /** Executes a statement as the superuser. */
  execute(statement: string): Promise<unknown> {
    return withClient(this.url('postgres'), (client) => client.query(statement));
  }

  /** Gives the server TLS, as in production, with a certificate that nobody signed. */
  async offerTls(): Promise<void> {
    const { rows } = await withClient(this.server.url, (client) =>
      client.query<{ folder: string }>(`select current_setting('data_directory') as folder`),
    );
    const folder = rows[0]!.folder;
    const words = ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', '-subj', '/CN=127.0.0.1'];
    execFileSync('openssl', [...words, '-out', 'server.crt', '-keyout', 'server.key'], {
      cwd: folder,
      stdio: 'ignore',
    });
    const owner = unprivilegedUser();
    for (const file of ['server.crt', 'server.key'])
      if (owner !== undefined) chownSync(join(folder, file), owner.uid, owner.gid);
    await this.execute('alter system set ssl = on');
    await this.execute('select pg_reload_conf()');
  }

  /** Ends the sessions of the service. */
  endSessions(): Promise<unknown> {
    return this.execute(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${NAME}'`);
  }

  /** Locks the pets until the returned function is called. */
  async lockPets(): Promise<() => Promise<void>> {
    const holder = new pg.Client({ connectionString: this.url('postgres') });
    await holder.connect();
    await holder.query(LOCK);
    return () => holder.end();
  }
}

/** The last statement of whoever holds the lock of {@link OwnedDatabase.lockPets}. */
export const LOCK = 'begin; lock table pets in access exclusive mode';
