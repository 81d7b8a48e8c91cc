import { type Options, BigIntType, type EntityMetadata } from '@mikro-orm/core';
import { PgliteDriver } from '@mikro-orm/pglite';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { PooledClient } from './connections/pooled-client.js';
import { readDatabaseUrl } from './database-url/index.js';
import type { EmbeddedDatabase } from './embedded/embedded-database.js';
import { migrationsOf, Migrator } from './migrator/migrator.js';

/** The time limit for a statement, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 10_000;

/** The name of the connections in `pg_stat_activity`. */
const APPLICATION_NAME = 'animal-store';

const COMMON = {
  // The process must not depend on the time zone of its machine.
  forceUtcTimezone: true,
  discovery: { onMetadata: keepIntegersExact },
  // What an entity manager reads may be changed and stored again, so it must not be stale.
  preferReadReplicas: false,
  extensions: [Migrator],
} satisfies Partial<Options>;

/** PostgreSQL cancels what takes too long. `query_timeout` is longer: for a server that dies and closes no connection. */
const LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: STATEMENT_TIMEOUT_MS / 2,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: STATEMENT_TIMEOUT_MS + 2_000,
};

/**
 * Statements are planned once: for lists of ids planning takes longer than execution. They are not compiled: from about three
 * million pets on, PostgreSQL would compile each page for 13 ms and then execute it in 0.2 ms.
 */
const PLAN_ONCE = '-c plan_cache_mode=force_generic_plan -c jit=off';

/** MikroORM on a PostgreSQL server. No connection is made before the first query. @throws InvalidDatabaseUrlError */
export function postgresOptions(
  url: string,
  poolSize: number,
  onPoolCreated: (pool: pg.Pool) => void = () => undefined,
) {
  const { database, options = '', application_name = APPLICATION_NAME, ...address } = readDatabaseUrl(url);
  return {
    ...COMMON,
    driver: PostgreSqlDriver,
    dbName: database,
    driverOptions: {
      ...address,
      max: poolSize,
      application_name,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      Client: PooledClient,
      onConnect: refuseStandby,
      onPoolCreated,
      ...LIMITS,
      options: `${options} ${PLAN_ONCE}`,
    },
  };
}

/** The address of reads, for the option `replicas`: a standby will do. Its limits are short, as the primary can be asked. */
export function replicaOptions(url: string, poolSize: number) {
  const { dbName, driverOptions } = postgresOptions(url, poolSize);
  const timeouts = { connectionTimeoutMillis: 2_000, query_timeout: 2_000 };
  return { dbName, driverOptions: { ...driverOptions, ...timeouts, onConnect: undefined } };
}

/** MikroORM for the migrations of a server: one connection for their lock, one for themselves, without time limits. */
export async function migrationOptions(url: string, folders: readonly string[]) {
  const { database, ...address } = readDatabaseUrl(url);
  const application_name = `${APPLICATION_NAME}-migrate`;
  return {
    ...COMMON,
    driver: PostgreSqlDriver,
    dbName: database,
    driverOptions: { ...address, max: 2, application_name, Client: PooledClient },
    discovery: { warnWhenNoEntities: false },
    migrations: await migrationsOf(folders),
  };
}

export function embeddedOptions({ pglite }: EmbeddedDatabase) {
  return { ...COMMON, driver: PgliteDriver, dbName: 'postgres', driverOptions: { pglite } };
}

/**
 * Refuses a standby, where reads would miss acknowledged changes, because a load balancer may lead to one during a fail-over.
 * Open connections need no check, as a primary becomes a standby only by a restart, which closes them.
 *
 * @throws Error with the SQLSTATE of a write on a standby, 25006 (read_only_sql_transaction)
 */
async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  if (rows[0]?.standby === true)
    throw Object.assign(new Error('The server is a standby, and not the primary'), { code: '25006' });
}

/** As MikroORM's type, but JSON gets the value as it is, and not a string. */
class ExactBigIntType extends BigIntType {
  override toJSON<Value>(value: Value): Value {
    return value;
  }
}

/** For the option `discovery.onMetadata` of MikroORM: entities from handlers have their 64-bit integers as JSON numbers. */
function keepIntegersExact({ properties }: EntityMetadata): void {
  for (const property of Object.values<{ type: unknown }>(properties)) {
    const { type } = property;
    if (type === 'bigint' || type === BigIntType) property.type = new ExactBigIntType('bigint');
    // Those that are declared as strings or numbers (`bigint('string')`) stay so.
    if (type instanceof BigIntType) property.type = new ExactBigIntType((type as BigIntType).mode);
  }
}
