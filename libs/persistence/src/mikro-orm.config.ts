import { join } from 'node:path';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import type { Options } from '@mikro-orm/core';
import type pg from 'pg';
import type { EmbeddedDatabase } from './embedded/embedded-database.js';
import { EmbeddedDriver } from './embedded/embedded-driver.js';
import { readDatabaseUrl } from './database-url/database-url.js';
import { tlsOptions, type TlsSettings } from './database-url/database-tls.js';
import { OpportunisticTls } from './database-url/opportunistic-tls.js';
import { PooledClient } from './pooled-client.js';
import { keepIntegersExact } from './exact-integers.js';
import { endSilentConnections } from './lost-connections.js';
import { migratorOf } from './migrator.js';
import { refuseStandby } from './refuse-standby.js';

/** How long a request may wait for a connection, and a statement may take, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** How long a server may be silent: long enough for it to end a statement itself. */
const SILENCE_MS = STATEMENT_TIMEOUT_MS + 2_000;

/** The same two for a replica, beside which there is another server to ask. */
const REPLICA_TIMEOUT_MS = 2_000;

/** The name that a connection shows in `pg_stat_activity`. */
export const APPLICATION_NAME = 'animal-store';

/** What both databases share. */
const COMMON = {
  // PostgreSQL keeps instants, and this process must not depend on the time zone of its machine.
  forceUtcTimezone: true,
  // A missing value is `undefined` throughout, never `null`.
  forceUndefined: true,
  discovery: { onMetadata: keepIntegersExact },
  extensions: [migratorOf()],
  migrations: {
    // Where MikroORM's own command would write one. Which are run: migrator.ts.
    path: join(import.meta.dirname, 'migrations'),
    // Each on its own: some statements, as `create index concurrently`, refuse a shared transaction.
    allOrNothing: false,
    snapshot: false,
    silent: true,
  },
} satisfies Partial<Options>;

/**
 * Prepared statements are planned once. By default PostgreSQL plans one anew each time where that looks cheaper on paper,
 * which it does for lists of ids; planning then takes longer than running it. MikroORM's own queries carry their values
 * in their text and are not touched by this.
 *
 * And they are not compiled (manual, "Just-in-Time Compilation"). A plan that holds for any limit costs on paper what a tenth
 * of the catalogue costs: from about three million pets on PostgreSQL would compile every page anew, for 13 ms, which
 * then takes 0.2.
 */
const PLAN_ONCE = '-c plan_cache_mode=force_generic_plan -c jit=off';

/** Sent when a connection starts: PostgreSQL itself ends what takes too long. */
const OWN_CONNECTION = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: STATEMENT_TIMEOUT_MS / 2,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  options: PLAN_ONCE,
};

/**
 * PgBouncer refuses a client that sends any of those, as its connections to PostgreSQL are not the client's. So this side
 * gives up waiting; that PostgreSQL gives up as well is for the settings of the role (docs/operations.md).
 */
const POOLED_CONNECTION = { query_timeout: STATEMENT_TIMEOUT_MS };

/**
 * Where the server is, who asks and how it is encrypted, for MikroORM; what is of `pg` is in the driver's options. MikroORM
 * takes an address too, but drops what it says after its `?`.
 *
 * @throws InvalidDatabaseUrlError
 */
export function serverOptions(url: string) {
  const { host, port, user, password, database: dbName, tls } = readDatabaseUrl(url);
  return { host, port: Number(port), user, password, dbName, driverOptions: encryption(tls, host) };
}

/** Never nothing: `pg` would ask the environment, in which the modes mean something else to it. */
function encryption(tls: TlsSettings | undefined, host: string) {
  if (tls === undefined) return { ssl: false };
  const { mode } = tls;
  const options = tlsOptions(tls, host);
  if (mode !== 'allow' && mode !== 'prefer') return { ssl: options };
  return { ssl: false, stream: () => new OpportunisticTls(mode, options) };
}

/**
 * MikroORM on a PostgreSQL server. No connection is made before the first query.
 *
 * @param preparedStatements see {@link DatabaseSettings}
 */
export function postgresOptions(url: string, poolSize: number, preparedStatements = true) {
  const { driverOptions, ...server } = serverOptions(url);
  return {
    ...COMMON,
    driver: PostgreSqlDriver,
    ...server,
    driverOptions: {
      ...driverOptions,
      max: poolSize,
      application_name: APPLICATION_NAME,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      Client: PooledClient,
      verify: refuseStandby,
      stream: endSilentConnections(SILENCE_MS, driverOptions.stream),
      ...(preparedStatements ? OWN_CONNECTION : POOLED_CONNECTION),
    },
  };
}

/** The options of a pool that is told of before it is used. */
export function withPool<Options extends { readonly driverOptions: object }>(
  options: Options,
  onPoolCreated: (pool: pg.Pool) => void,
) {
  return { ...options, driverOptions: { ...options.driverOptions, onPoolCreated } };
}

/**
 * MikroORM on a replica, for statements alone: it knows no mapping. A replica that says nothing for long is given up sooner
 * than the primary, which is then asked instead.
 */
export function replicaOptions(url: string, poolSize: number, preparedStatements: boolean) {
  const options = postgresOptions(url, poolSize, preparedStatements);
  const timeouts = { connectionTimeoutMillis: REPLICA_TIMEOUT_MS, query_timeout: REPLICA_TIMEOUT_MS };
  return {
    ...options,
    driverOptions: { ...options.driverOptions, ...timeouts, verify: undefined },
    discovery: { warnWhenNoEntities: false },
  };
}

/** How many connections there are for lookups: strangers can keep one of them busy, and never the other. */
const LOOKUP_CONNECTIONS = 2;

/** How long a lookup may take, which finds a few rows by an index, and wait for a connection or a lock, in milliseconds. */
const LOOKUP_TIMEOUT_MS = 2_000;

/** MikroORM for `LookupConnections`: no mapping, and times so short that nobody who probes gives up first. */
export function lookupOptions(url: string, preparedStatements: boolean) {
  const options = postgresOptions(url, LOOKUP_CONNECTIONS, preparedStatements);
  const timeouts = {
    connectionTimeoutMillis: LOOKUP_TIMEOUT_MS,
    query_timeout: LOOKUP_TIMEOUT_MS,
    ...(preparedStatements && { statement_timeout: LOOKUP_TIMEOUT_MS, lock_timeout: LOOKUP_TIMEOUT_MS / 2 }),
  };
  return {
    ...options,
    driverOptions: { ...options.driverOptions, ...timeouts, application_name: `${APPLICATION_NAME} (lookups)` },
    discovery: { warnWhenNoEntities: false },
  };
}

/** MikroORM on the embedded database. */
export function embeddedOptions({ pglite }: EmbeddedDatabase) {
  return { ...COMMON, driver: EmbeddedDriver, dbName: 'postgres', driverOptions: { pglite } };
}
