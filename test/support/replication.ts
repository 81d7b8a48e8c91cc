import { spawn, type ChildProcess } from 'node:child_process';
import { appendFileSync, chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateServer } from '@animal-store/persistence';
import { endProcess } from './end-process.js';
import { freePort } from './free-port.js';
import { binaries, run, unprivilegedUser, untilReady } from './postgres-server.js';
import { withClient } from './database-client.js';

/** A PostgreSQL server that can be killed and started again. */
export class ReplicatedServer {
  private process: ChildProcess | undefined;

  constructor(
    private readonly bin: string,
    readonly data: string,
    private readonly port: number,
  ) {}

  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.port}/postgres`;
  }

  async start(): Promise<void> {
    const settings = ['fsync=off', 'listen_addresses=127.0.0.1', `port=${this.port}`, 'unix_socket_directories='];
    this.process = spawn(
      join(this.bin, 'postgres'),
      ['-D', this.data, ...settings.flatMap((setting) => ['-c', setting])],
      { ...unprivilegedUser(), stdio: 'ignore' },
    );
    await untilReady(this.url, this.process);
  }

  /** @param signal SIGINT: the server ends its clients and itself in an orderly way; SIGQUIT: it ends at once */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    if (this.process !== undefined) await endProcess(this.process, signal);
    this.process = undefined;
  }

  async execute(statement: string): Promise<void> {
    await withClient(this.url, (client) => client.query(statement));
  }
}

/** A migrated primary, and standbys that stream from it under the names `standby1` and `standby2`. */
export interface Replication {
  readonly primary: ReplicatedServer;
  readonly standbys: readonly [ReplicatedServer, ReplicatedServer];
  remove(): Promise<void>;
}

/** The standbys are copies of the stopped primary. All servers are ready when this resolves. */
export async function startReplication(): Promise<Replication> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  const owner = unprivilegedUser();
  chmodSync(folder, 0o755);
  const bin = binaries(folder, owner);
  const server = async (name: string) => new ReplicatedServer(bin, join(folder, name), await freePort());
  const [primary, ...standbys] = [await server('primary'), await server('standby1'), await server('standby2')] as const;
  for (const { data } of [primary, ...standbys]) {
    mkdirSync(data, { mode: 0o700 });
    if (owner !== undefined) chownSync(data, owner.uid, owner.gid);
  }

  const cluster = ['-D', primary.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  await run(join(bin, 'initdb'), cluster, owner);
  await primary.start();
  await migrateServer(primary.url);
  await primary.stop();
  for (const [index, { data }] of standbys.entries()) {
    cpSync(primary.data, data, { recursive: true });
    if (owner !== undefined) await run('chown', ['-R', `${owner.uid}:${owner.gid}`, data], undefined);
    const source = `${primary.url}?application_name=standby${index + 1}`;
    appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
    writeFileSync(join(data, 'standby.signal'), '');
  }
  await primary.start();
  for (const standby of standbys) await standby.start();
  return {
    primary,
    standbys,
    remove: async () => {
      for (const each of [...standbys, primary]) await each.stop('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
