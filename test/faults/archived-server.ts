import { execFile } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.js';
import { run, unprivilegedUser } from '../support/postgres-server.js';
import { ReplicatedServer } from '../support/replication.js';
import { withClient } from '../support/sql.js';

const ARCHIVE_TIMEOUT_MS = 60_000;

/** PostgreSQL servers on this machine, and the WAL archive of one of them, configured as in docs/operations.md. */
export class ArchivedServers {
  readonly archive: string;
  private readonly owner = unprivilegedUser();
  private readonly servers: ReplicatedServer[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));

  /** @param bin the folder of the PostgreSQL programs */
  constructor(private readonly bin: string) {
    chmodSync(this.folder, 0o755);
    this.archive = this.makeFolder('archive');
  }

  /** Creates a folder in which the user of the servers may write. */
  makeFolder(name: string): string {
    const path = join(this.folder, name);
    mkdirSync(path, { mode: 0o700 });
    if (this.owner !== undefined) chownSync(path, this.owner.uid, this.owner.gid);
    return path;
  }

  /** A path in such a folder at which no file exists yet. */
  pathIn(folder: string, name: string): string {
    return join(folder, name);
  }

  /** Creates and starts a server. @param isArchived whether the server archives its WAL and keeps commit timestamps */
  async create(name: string, isArchived: boolean): Promise<ReplicatedServer> {
    const data = this.makeFolder(name);
    const cluster = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
    await run(join(this.bin, 'initdb'), cluster, this.owner);
    if (isArchived) {
      appendFileSync(
        join(data, 'postgresql.conf'),
        `
wal_level = replica
archive_mode = on
archive_command = 'test ! -f "${this.archive}/%f" && cp "%p" "${this.archive}/%f"'
track_commit_timestamp = on
`,
      );
    }
    return await this.start(data);
  }

  /** Starts a server on existing files with these settings. Resolves when the recovery has ended. */
  async restore(data: string, settings: readonly string[]): Promise<ReplicatedServer> {
    const lines = ['archive_mode = off', `restore_command = 'cp "${this.archive}/%f" "%p"'`, ...settings];
    appendFileSync(join(data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
    writeFileSync(join(data, 'recovery.signal'), '');
    const server = await this.start(data);
    for (;;) {
      const { rows } = await withClient(server.url, (client) =>
        client.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering'),
      );
      if (rows[0]?.recovering === false) return server;
      await delay(50);
    }
  }

  /** Runs a PostgreSQL program as the user of the servers. */
  async program(name: string, ...args: readonly string[]): Promise<void> {
    await run(join(this.bin, name), [...args], this.owner);
  }

  /** Copies a folder of the servers. */
  async copy(from: string, to: string): Promise<void> {
    await promisify(execFile)('cp', ['-a', from, to]);
  }

  /** Resolves when every commit on the server is in the archive. */
  async untilArchived(server: ReplicatedServer): Promise<void> {
    await withClient(server.url, async (client) => {
      const { rows } = await client.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
      const deadline = Date.now() + ARCHIVE_TIMEOUT_MS;
      for (;;) {
        const archived = await client.query('select from pg_stat_archiver where last_archived_wal >= $1', [
          rows[0]?.file,
        ]);
        if (archived.rowCount === 1) return;
        if (Date.now() > deadline) throw new Error('The WAL was not archived');
        await delay(50);
      }
    });
  }

  async remove(): Promise<void> {
    for (const server of this.servers) await server.stop('SIGQUIT');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async start(data: string): Promise<ReplicatedServer> {
    const server = new ReplicatedServer(this.bin, data, await freePort());
    this.servers.push(server);
    await server.start();
    return server;
  }
}
