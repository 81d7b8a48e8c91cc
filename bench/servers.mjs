/** The servers that can be measured, and how they are started and stopped. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/support/free-port.ts';

/** The name of the build in this checkout. A build elsewhere is `product@/path/to/dist`. */
export const PRODUCT = 'product';

const FOLDER = import.meta.dirname;

const PEER_PROGRAMS = {
  'raw-pg': 'peers/raw-pg/server.mjs',
  'fastify-pg': 'peers/fastify-pg/server.mjs',
  'nest-mikroorm': 'dist/nest-mikroorm/server.js',
  static: 'peers/static/server.mjs',
};

export const PEERS = Object.keys(PEER_PROGRAMS);

/** The key that every server accepts. It is no secret: the servers run for minutes, on the loopback address. */
export const API_KEY = 'bench-key-0123456789abcdef';

const START_LIMIT_MS = 30_000;

/** Whether the server is a build of the product. Then its migrations make the tables. */
export function isProduct(name) {
  return name.split('@')[0] === PRODUCT;
}

/** @throws an error if the name is neither a peer nor a build of the product */
export function checkName(name) {
  const [, dist] = name.split('@');
  if (PEERS.includes(name) || (isProduct(name) && (dist === undefined || isAbsolute(dist)))) return;
  throw new Error(`${name} is none of ${[PRODUCT, ...PEERS].join(', ')}, ${PRODUCT}@<absolute path of a dist>`);
}

/** Compiles the peer that is written in TypeScript. */
export function buildPeers() {
  const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
  const { status } = spawnSync(process.execPath, [compiler, '--project', 'peers'], { cwd: FOLDER, stdio: 'inherit' });
  if (status !== 0) throw new Error('The peers do not compile');
}

/** @returns the working directory, and the path of a program. Peers have one program. */
function placeOf(name, program) {
  if (!isProduct(name)) return { cwd: FOLDER, path: join(FOLDER, PEER_PROGRAMS[name]) };
  const [, dist = join(FOLDER, '../dist')] = name.split('@');
  const path = join(dist, 'apps/api/src', program);
  if (!existsSync(path)) throw new Error(`${name} is not built: there is no ${path}`);
  return { cwd: join(dist, '..'), path };
}

/**
 * Starts a program with the variables that it needs, and no other variable of the caller's shell. A build of the product gets only
 * settings that every version has; `settings` adds what one of them needs. Metrics are on, as in production.
 */
async function start({ name, settings }, program, databaseUrl, port) {
  const { cwd, path } = placeOf(name, program);
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '10',
    BOOTSTRAP_API_KEY: API_KEY,
    ...(isProduct(name) && { LOG_LEVEL: 'warn', METRICS_PORT: String(await freePort()), ...settings }),
  };
  const child = spawn(process.execPath, [path], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

/** Runs the migrations of a build of the product. */
export async function migrate(server, databaseUrl) {
  const child = await start(server, 'cli/migrate.js', databaseUrl, 3000);
  const [complaint] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (child.exitCode !== 0) throw new Error(`The migrations of ${server.name} failed: ${complaint}`);
}

/** Starts a server and resolves when it answers a request with 200. The caller must stop it. */
export async function startServer(server, databaseUrl) {
  const port = await freePort();
  const child = await start(server, 'main.js', databaseUrl, port);
  let complaint = '';
  child.stderr.on('data', (chunk) => (complaint = (complaint + chunk).slice(-2_000)));
  const url = `http://127.0.0.1:${port}`;
  async function stop() {
    // Nothing has to be finished: the load has ended, and the data goes with the run.
    const exited = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await exited;
  }
  const deadline = Date.now() + START_LIMIT_MS;
  while ((await request({ url }, 'GET', '/v1/pets?limit=1').catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`${server.name} did not start. It said:\n${complaint}`);
    }
    await sleep(5);
  }
  return { name: server.name, url, stop };
}

/** Sends one request, with the key of the benchmark unless another one is given. */
export async function request({ url }, method, path, { key = API_KEY, body } = {}) {
  const headers = {
    ...(key && { Authorization: `Bearer ${key}` }),
    ...(body && { 'Content-Type': 'application/json' }),
  };
  const response = await globalThis.fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, body: await response.json() };
}
