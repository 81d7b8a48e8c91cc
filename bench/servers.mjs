/** Everything that can be measured, and how it is started. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PRODUCT = 'product';

/** The product with a module of the benchmark. */
export const PLAIN_ROUTE = 'plain-route';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
export const REPOSITORY = join(FOLDER, '..');
const PRODUCT_PROGRAM = join(REPOSITORY, 'dist/apps/api/src/main.js');
export const MIGRATE_PROGRAM = join(REPOSITORY, 'dist/apps/api/src/cli/migrate.js');

/** The key that every server accepts. It is worth nothing: the servers live for minutes, on the loopback address. */
export const API_KEY = 'bench-key-0123456789abcdef';

const POOL_SIZE = '10';

const PEER_PROGRAMS = {
  'raw-pg': 'peers/raw-pg/server.mjs',
  'fastify-pg': 'peers/fastify-pg/server.mjs',
  'express-pg': 'peers/express-pg/server.mjs',
  'nest-typeorm': 'dist/nest-typeorm/server.js',
  'nest-prisma': 'dist/nest-prisma/server.js',
  'nest-mikroorm': 'dist/nest-mikroorm/server.js',
  static: 'peers/static/server.mjs',
};

export const PEERS = Object.keys(PEER_PROGRAMS);

/** Answers constant bytes: there is nothing to verify about it. */
export const WITHOUT_DATABASE = 'static';

export function isBuilt(name) {
  return existsSync(programOf(name));
}

export function programOf(name) {
  if (name === PRODUCT) return PRODUCT_PROGRAM;
  return join(FOLDER, name === PLAIN_ROUTE ? 'plain-route/server.mjs' : PEER_PROGRAMS[name]);
}

/** The environment of a server: what it needs and nothing that the caller's shell happens to hold. */
export function environmentOf(name, settings) {
  return name === PRODUCT || name === PLAIN_ROUTE ? productEnvironment(settings) : commonEnvironment(settings);
}

function commonEnvironment({ databaseUrl, port }) {
  return {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: POOL_SIZE,
    BOOTSTRAP_API_KEY: API_KEY,
  };
}

/** Metrics are on, as in production; each instance needs a port of its own for them. No balancer waits for its end. */
export function productEnvironment({ metricsPort = '', ...settings }) {
  const own = { HOST: '127.0.0.1', LOG_LEVEL: 'warn', METRICS_PORT: String(metricsPort), SHUTDOWN_DELAY_SECONDS: '0' };
  return { ...commonEnvironment(settings), ...own };
}
