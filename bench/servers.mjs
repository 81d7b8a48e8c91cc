/** The servers that can be measured, and how they are started and stopped. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, URL } from 'node:url';
import { request } from './client.mjs';
import { beforeExit, freePort, temporaryFolder } from './processes.mjs';

/** The two programs of a server: the catalogue alone, and with Store/Orders, the product's example of a module. */
export const PETS = 'pets';
export const ORDERS = 'orders';

/** The product, and the product without access to private parts of libraries. */
export const PRODUCTS = ['product', 'product-without-accelerators'];

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const REPOSITORY = join(FOLDER, '..');

const PRODUCT_PROGRAMS = {
  [PETS]: { serve: 'apps/api/src/main.js', migrate: 'apps/api/src/cli/migrate.js' },
  [ORDERS]: { serve: 'examples/store-orders/src/main.js', migrate: 'examples/store-orders/src/migrate.js' },
};

const PEER_PROGRAMS = {
  'raw-pg': { [PETS]: 'peers/raw-pg/server.mjs' },
  'fastify-pg': { [PETS]: 'peers/fastify-pg/server.mjs' },
  'express-pg': { [PETS]: 'peers/express-pg/server.mjs' },
  'nest-typeorm': { [PETS]: 'dist/nest-typeorm/server.js', [ORDERS]: 'dist/nest-typeorm/orders/server.js' },
  'nest-prisma': { [PETS]: 'dist/nest-prisma/server.js' },
  'nest-mikroorm': { [PETS]: 'dist/nest-mikroorm/server.js', [ORDERS]: 'dist/nest-mikroorm/orders/server.js' },
  static: { [PETS]: 'peers/static/server.mjs' },
};

export const PEERS = Object.keys(PEER_PROGRAMS);

/** The key that every server accepts. It is no secret: the servers run for minutes, on the loopback address. */
export const API_KEY = 'bench-key-0123456789abcdef';

const START_LIMIT_MS = 30_000;

/** A server has started when it answers this request with 200. */
const FIRST_REQUESTS = { [PETS]: '/v1/pets?limit=1', [ORDERS]: '/v1/store/orders?limit=1' };

/** Whether the server is a build of the product. Then its migrations make the tables. */
export function isProduct(name) {
  return PRODUCTS.includes(name.split('@')[0]);
}

/** Whether the server has a program for `application`. */
export function offers(name, application) {
  return isProduct(name) || PEER_PROGRAMS[name][application] !== undefined;
}

/** @param kind of the programs of the product: `serve` or `migrate` */
function programOf(name, application, kind = 'serve') {
  if (!isProduct(name)) return join(FOLDER, PEER_PROGRAMS[name][application]);
  const [, dist = join(REPOSITORY, 'dist')] = name.split('@');
  const program = join(dist, PRODUCT_PROGRAMS[application][kind]);
  if (!existsSync(program)) throw new Error(`${name} is not built: there is no ${program}`);
  return program;
}

/** @throws an error if the name is neither a peer nor a build of the product */
export function checkName(name) {
  const [product, dist] = name.split('@');
  if (PEERS.includes(name) || (PRODUCTS.includes(product) && (dist === undefined || isAbsolute(dist)))) return;
  throw new Error(`${name} is none of ${[...PRODUCTS, ...PEERS].join(', ')}, ${PRODUCTS[0]}@<absolute path of a dist>`);
}

/** The environment of a server: the variables that it needs, and no other variable of the caller's shell. */
function environmentOf(name, { databaseUrl, port, metricsPort }) {
  const common = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '10',
    BOOTSTRAP_API_KEY: API_KEY,
  };
  if (!isProduct(name)) return common;
  return {
    ...common,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    // Metrics are on, as in production.
    METRICS_PORT: String(metricsPort),
    // There is no load balancer that has to be waited for.
    SHUTDOWN_DELAY_SECONDS: '0',
    ...(name.startsWith(PRODUCTS[1]) && { ACCELERATORS: 'off' }),
  };
}

/** Runs the migrations of the product `name`. */
export async function migrate(name, application, databaseUrl) {
  const environment = environmentOf(name, { databaseUrl, port: 3000, metricsPort: '' });
  const program = programOf(name, application, 'migrate');
  const stdio = ['ignore', 'ignore', 'inherit'];
  const child = spawn(process.execPath, [program], { cwd: REPOSITORY, env: environment, stdio });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ended with ${code}`);
}

/**
 * Starts the server `name` and resolves after its first 200. Its output goes to a file, as it would go to a log collector.
 *
 * @param application the program of the server that is started
 */
export async function startServer(name, databaseUrl, application) {
  const port = await freePort();
  const logFile = join(temporaryFolder(), `${port}.log`);
  const log = openSync(logFile, 'w');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [programOf(name, application)], {
    cwd: REPOSITORY,
    env: environmentOf(name, { databaseUrl, port, metricsPort: await freePort() }),
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
        child.kill('SIGTERM');
        const deadline = setTimeout(() => child.kill('SIGKILL'), 5_000);
        await exited;
        clearTimeout(deadline);
      }
      forget();
    },
  };
  while (!(await answers(server, FIRST_REQUESTS[application]))) {
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
