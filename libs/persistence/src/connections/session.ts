import type pg from 'pg';

/**
 * The texts of values, which a server, a database or a role may have set in another way: then no time of a key and no date of a
 * module could be read. They are set by a statement and not at the start of the session, because PgBouncer refuses most of
 * them there. PgBouncer keeps `datestyle`, `timezone` and `standard_conforming_strings` for each client, and since version 1.20
 * `intervalstyle`; the others stay on the connection that got them.
 */
const OUTPUT = {
  datestyle: 'ISO',
  timezone: 'UTC',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
};

const SET_OUTPUT = Object.entries(OUTPUT)
  .map(([name, value]) => `set ${name} = '${value}'`)
  .join('; ');

/** The SQLSTATE of a write on a standby (read_only_sql_transaction). */
const READ_ONLY = '25006';

/** The address of the primary leads to a standby, as during a fail-over. */
class NoPrimaryError extends Error {
  readonly code = READ_ONLY;

  constructor() {
    super('The server is a standby, and not the primary');
  }
}

/** For the option `onConnect` of a `pg` pool: prepares a new connection before the pool lends it. */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(SET_OUTPUT);
}

/**
 * As {@link prepareSession}, and refuses a standby. During a fail-over a load balancer may lead to the old or to the next
 * primary, where reads would miss acknowledged changes. A primary becomes a standby only by a restart, which closes its
 * connections; so open connections need no check.
 *
 * @throws NoPrimaryError
 */
export async function preparePrimarySession(client: pg.ClientBase): Promise<void> {
  // `pg` declares one result; several statements have one each.
  const results = (await client.query(`${SET_OUTPUT}; select pg_is_in_recovery()`)) as unknown as pg.QueryResult[];
  if ((results.at(-1)?.rows[0] as { pg_is_in_recovery?: boolean } | undefined)?.pg_is_in_recovery === true)
    throw new NoPrimaryError();
}
