/** The servers that can be measured, and how they are started. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath, URL } from 'node:url';

export const PRODUCT = 'product';
/** The product without access to private parts of libraries. */
export const UNACCELERATED = 'product-without-accelerators';

/**
 * The programs that are measured: the catalogue alone, and the catalogue with Store/Orders, the product's example of a
 * module.
 */
export const PETS = 'pets';
export const ORDERS = 'orders';

/** The product with a module of the benchmark. */
export const PLAIN_ROUTE = 'plain-route';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
export const REPOSITORY = join(FOLDER, '..');
const PRODUCT_PROGRAMS = {
  [PETS]: join(REPOSITORY, 'dist/apps/api/src/main.js'),
  [ORDERS]: join(REPOSITORY, 'dist/examples/store-orders/src/main.js'),
};
export const MIGRATE_PROGRAMS = {
  [PETS]: join(REPOSITORY, 'dist/apps/api/src/cli/migrate.js'),
  [ORDERS]: join(REPOSITORY, 'dist/examples/store-orders/src/migrate.js'),
};

/** The key that every server accepts. It is no secret: the servers run for minutes, on the loopback address. */
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

/** The programs of the peers that implement orders too. */
const PEER_PROGRAMS_WITH_ORDERS = {
  'nest-typeorm': 'dist/nest-typeorm/orders/server.js',
  'nest-mikroorm': 'dist/nest-mikroorm/orders/server.js',
};

export const PEERS = Object.keys(PEER_PROGRAMS);

export const PEERS_WITH_ORDERS = Object.keys(PEER_PROGRAMS_WITH_ORDERS);

/** This server answers with constant bytes, so its answers are not verified. */
export const WITHOUT_DATABASE = 'static';

/** Throws an error that says what to do if the program of a server does not exist. */
export function refuseUnbuilt(name, application) {
  const programs = [programOf(name, application), ...(isProduct(name) ? [MIGRATE_PROGRAMS[application]] : [])];
  const missing = programs.find((program) => !existsSync(program));
  if (missing === undefined) return;
  const what = application === ORDERS ? `${name} with Store/Orders` : name;
  throw new Error(`${what} is not built, there is no ${relative(REPOSITORY, missing)}: run "npm run build" first`);
}

/** Whether the server `name` has a program for `application`. */
export function offers(name, application) {
  return application === PETS || isProduct(name) || PEERS_WITH_ORDERS.includes(name);
}

export function programOf(name, application = PETS) {
  if (isProduct(name)) return PRODUCT_PROGRAMS[application];
  if (name === PLAIN_ROUTE) return join(FOLDER, 'plain-route/server.mjs');
  return join(FOLDER, (application === ORDERS ? PEER_PROGRAMS_WITH_ORDERS : PEER_PROGRAMS)[name]);
}

/** Whether the server `name` is the product. Then the product's migrations make the database. */
export function isProduct(name) {
  return name === PRODUCT || name === UNACCELERATED;
}

/** The environment of a server: the variables that it needs, and no other variable of the caller's shell. */
export function environmentOf(name, settings) {
  if (name === UNACCELERATED) return { ...productEnvironment(settings), ACCELERATORS: 'off' };
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

/** Metrics are on, as in production; each instance needs its own metrics port. The shutdown has no delay: there is no load balancer. */
export function productEnvironment({ metricsPort = '', ...settings }) {
  const own = { HOST: '127.0.0.1', LOG_LEVEL: 'warn', METRICS_PORT: String(metricsPort), SHUTDOWN_DELAY_SECONDS: '0' };
  return { ...commonEnvironment(settings), ...own };
}
