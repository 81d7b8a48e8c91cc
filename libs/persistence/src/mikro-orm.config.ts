import { join } from 'node:path';
import { type Options, BigIntType, type EntityMetadata } from '@mikro-orm/core';
import type pg from 'pg';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import { PooledClient, endSilentConnections } from './connections/pooled-client.js';
import { preparePrimarySession, prepareSession } from './connections/session.js';
import { readDatabaseUrl } from './database-url/database-url.js';
import type { EmbeddedDatabase } from './embedded/embedded-database.js';
import { EmbeddedDriver } from './embedded/embedded-driver.js';
import { migratorOf } from './migrator/migrator.js';

/** The time limits for getting a connection and for a statement, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** How long a server may send nothing. It has time to cancel a statement itself. */
const SILENCE_MS = STATEMENT_TIMEOUT_MS + 2_000;

/** The same limit for the address of reads. It is short, because the primary can be asked instead. */
const READ_TIMEOUT_MS = 2_000;

/** The name of the connections in `pg_stat_activity`. */
const APPLICATION_NAME = 'animal-store';

/** The options of both databases. */
const COMMON = {
  // The process must not depend on the time zone of its machine.
  forceUtcTimezone: true,
  discovery: { onMetadata: keepIntegersExact },
  extensions: [migratorOf()],
  migrations: {
    // The folder in which MikroORM's command would create migrations. migrator/migration-files.ts finds those that are run.
    path: join(import.meta.dirname, 'migrations'),
    // Each migration has its own transaction: some statements, such as `create index concurrently`, need to be alone.
    allOrNothing: false,
    snapshot: false,
    silent: true,
  },
} satisfies Partial<Options>;

/**
 * Prepared statements are planned once. By default PostgreSQL plans a statement for each execution if that has a lower estimated
 * cost, which is so for lists of ids; planning then takes longer than execution. The queries of MikroORM contain their values
 * in the text, so this does not affect them.
 *
 * Statements are not compiled (manual, "Just-in-Time Compilation"). The estimated cost of a plan for any limit is that of a tenth
 * of the catalogue. From about three million pets on PostgreSQL would compile each page for 13 ms and then execute it in 0.2 ms.
 */
const PLAN_ONCE = '-c plan_cache_mode=force_generic_plan -c jit=off';

/** Settings that are sent when a connection starts. PostgreSQL itself cancels what takes too long. */
const OWN_CONNECTION = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: STATEMENT_TIMEOUT_MS / 2,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
};

/**
 * PgBouncer refuses clients that send these settings, because clients share its connections to PostgreSQL. So only the client has
 * a time limit. The settings of the role should set one for PostgreSQL (docs/operations.md).
 */
const POOLED_CONNECTION = { query_timeout: STATEMENT_TIMEOUT_MS };

/**
 * MikroORM on a PostgreSQL server. No connection is made before the first query. MikroORM could take the address itself, but
 * ignores the part after its `?`.
 *
 * @param preparedStatements see {@link DatabaseSettings}
 * @throws InvalidDatabaseUrlError
 */
export function postgresOptions(url: string, poolSize: number, preparedStatements = true) {
  const { database, options = '', application_name = APPLICATION_NAME, ...address } = readDatabaseUrl(url);
  const limits = preparedStatements
    ? { ...OWN_CONNECTION, options: `${options} ${PLAN_ONCE}`.trimStart() }
    : { ...POOLED_CONNECTION, options };
  return {
    ...COMMON,
    driver: PostgreSqlDriver,
    dbName: database,
    driverOptions: {
      ...address,
      max: poolSize,
      application_name,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      Client: PooledClient,
      onConnect: preparePrimarySession,
      stream: endSilentConnections(SILENCE_MS),
      ...limits,
    },
  };
}

/** Adds what is done with the pool when it is made. */
export function withPool<Options extends { readonly driverOptions: object }>(
  options: Options,
  onPoolCreated: (pool: pg.Pool) => void,
) {
  return { ...options, driverOptions: { ...options.driverOptions, onPoolCreated } };
}

/**
 * MikroORM on the address of reads, for statements only: it has no mappings. It has a shorter time limit than the primary, which is
 * asked instead.
 */
export function readOptions(url: string, poolSize: number, preparedStatements: boolean) {
  const options = postgresOptions(url, poolSize, preparedStatements);
  const timeouts = { connectionTimeoutMillis: READ_TIMEOUT_MS, query_timeout: READ_TIMEOUT_MS };
  return {
    ...options,
    driverOptions: { ...options.driverOptions, ...timeouts, onConnect: prepareSession },
    discovery: { warnWhenNoEntities: false },
  };
}

/** MikroORM for the migrations of a server: one connection for their lock, one for themselves, without time limits. */
export function migrationOptions(url: string) {
  const { database, ...address } = readDatabaseUrl(url);
  return {
    ...COMMON,
    driver: PostgreSqlDriver,
    dbName: database,
    driverOptions: {
      ...address,
      max: 2,
      application_name: `${APPLICATION_NAME}-migrate`,
      Client: PooledClient,
      onConnect: prepareSession,
    },
    discovery: { warnWhenNoEntities: false },
  };
}

/** MikroORM on the embedded database. */
export function embeddedOptions({ pglite }: EmbeddedDatabase) {
  return { ...COMMON, driver: EmbeddedDriver, dbName: 'postgres', driverOptions: { pglite } };
}

/** As MikroORM's type, but JSON gets an integer and not a string. */
class ExactBigIntType extends BigIntType {
  override toJSON(value: bigint): never {
    return value as never;
  }
}

/**
 * For the option `discovery.onMetadata` of MikroORM: entities that a handler returns have their 64-bit integers as JSON numbers.
 * Properties that are declared as strings or numbers (`bigint('string')`) do not change.
 */
function keepIntegersExact({ properties }: EntityMetadata): void {
  for (const property of Object.values<{ type: unknown }>(properties)) {
    const { type } = property;
    const isBigInt =
      type === 'bigint' || type === BigIntType || (type instanceof BigIntType && (type.mode ?? 'bigint') === 'bigint');
    if (isBigInt) property.type = new ExactBigIntType('bigint');
  }
}
