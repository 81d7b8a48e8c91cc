/** The servers that can be measured, and how they are started and stopped. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from './client.mjs';
import { beforeExit, freePort, temporaryFolder } from './processes.mjs';

/** The name of the build in this checkout. A build elsewhere is `product@/path/to/dist`. */
export const PRODUCT = 'product';

const FOLDER = import.meta.dirname;

/** What a build of the product is started by, and what makes its tables. */
const SERVE = 'apps/api/src/main.js';
const MIGRATE = 'apps/api/src/cli/migrate.js';

const PEER_PROGRAMS = {
  'raw-pg': 'peers/raw-pg/server.mjs',
  'fastify-pg': 'peers/fastify-pg/server.mjs',
  'nest-typeorm': 'dist/nest-typeorm/server.js',
  'nest-mikroorm': 'dist/nest-mikroorm/server.js',
  static: 'peers/static/server.mjs',
};

export const PEERS = Object.keys(PEER_PROGRAMS);

/** The key that every server accepts. It is no secret: the servers run for minutes, on the loopback address. */
export const API_KEY = 'bench-key-0123456789abcdef';

const START_LIMIT_MS = 30_000;

/** A server has started when it answers this request with 200. */
const FIRST_REQUEST = '/v1/pets?limit=1';

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

/** The folder of a build of the product. */
function distOf(name) {
  const [, dist = join(FOLDER, '../dist')] = name.split('@');
  return dist;
}

/** @param program the one of a build of the product that is wanted */
function programOf(name, program) {
  if (!isProduct(name)) return join(FOLDER, PEER_PROGRAMS[name]);
  const path = join(distOf(name), program);
  if (!existsSync(path)) throw new Error(`${name} is not built: there is no ${path}`);
  return path;
}

/**
 * The environment of a server: the variables that it needs, and no other variable of the caller's shell. A build of the product
 * gets only settings that every version has; `settings` adds what one of them needs.
 */
function environmentOf({ name, settings }, { databaseUrl, port, metricsPort }) {
  const common = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '10',
    BOOTSTRAP_API_KEY: API_KEY,
  };
  if (!isProduct(name)) return common;
  // Metrics are on, as in production.
  return { ...common, HOST: '127.0.0.1', LOG_LEVEL: 'warn', METRICS_PORT: String(metricsPort), ...settings };
}

/** Runs the migrations of a build of the product. */
export async function migrate({ name, settings }, databaseUrl) {
  const environment = environmentOf({ name, settings }, { databaseUrl, port: 3000, metricsPort: '' });
  const program = programOf(name, MIGRATE);
  const stdio = ['ignore', 'ignore', 'inherit'];
  const child = spawn(process.execPath, [program], { cwd: join(distOf(name), '..'), env: environment, stdio });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

/** Starts a server and resolves after its first 200. Its output goes to a file, as it would go to a log collector. */
export async function startServer({ name, settings }, databaseUrl) {
  const port = await freePort();
  const logFile = join(temporaryFolder(), `${port}.log`);
  const log = openSync(logFile, 'w');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [programOf(name, SERVE)], {
    cwd: isProduct(name) ? join(distOf(name), '..') : FOLDER,
    env: environmentOf({ name, settings }, { databaseUrl, port, metricsPort: await freePort() }),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const forget = beforeExit(() => child.kill('SIGKILL'));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;

  const server = {
    name,
    url: `http://127.0.0.1:${port}`,
    processorSeconds: () => processorSecondsOf(child.pid),
    async stop() {
      if (!hasEnded()) {
        const exited = once(child, 'exit');
        // Nothing has to be finished: the load has ended, and the data goes with the run.
        child.kill('SIGKILL');
        await exited;
      }
      forget();
    },
  };
  while (!(await answers(server, FIRST_REQUEST))) {
    if (hasEnded() || performance.now() - startedAt > START_LIMIT_MS) {
      await server.stop();
      throw new Error(`${name} did not start. It said:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
    }
    await sleep(5);
  }
  return server;
}

/** The processor time of a process until now, in user and system mode; only Linux tells. */
function processorSecondsOf(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  // The second field is a name in brackets, which may contain blanks. Linux counts hundredths of a second here.
  const [user, system] = readFileSync(file, 'utf8').split(') ').at(-1).split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}

async function answers(server, path) {
  try {
    return (await request(server, 'GET', path, { keepAlive: false })).status === 200;
  } catch {
    return false;
  }
}
