import type pg from 'pg';

/**
 * The texts of values, which a server, a database or a role may have set in another way: then no time of a key and no date of a
 * module could be read. They are set by a statement and not at the start of the session, because PgBouncer refuses most of them
 * there. PgBouncer keeps some of them for each client; the others stay on the connection that got them.
 */
const SET_OUTPUT = `
  set datestyle = 'ISO'; set timezone = 'UTC'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = '1'; set standard_conforming_strings = 'on'`;

/** For the option `onConnect` of a `pg` pool: prepares a new connection before the pool hands it out. */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(SET_OUTPUT);
}

/**
 * As {@link prepareSession}, and refuses a standby: during a fail-over a load balancer may lead to the old or to the next
 * primary, where reads would miss acknowledged changes. A primary becomes a standby only by a restart, which closes its
 * connections; so open connections need no check.
 *
 * @throws Error with the SQLSTATE of a write on a standby, 25006 (read_only_sql_transaction)
 */
export async function preparePrimarySession(client: pg.ClientBase): Promise<void> {
  await prepareSession(client);
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  if (rows[0]?.standby === true)
    throw Object.assign(new Error('The server is a standby, and not the primary'), { code: '25006' });
}
