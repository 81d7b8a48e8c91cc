import type pg from 'pg';

/**
 * The formats in which values are read. A server, a database or a role may have others, in which no date could be parsed. They
 * are set by a statement, as PgBouncer refuses most of them at the start of a session. It keeps some for each client; the
 * others stay on the connection that got them.
 */
const SET_OUTPUT = `
  set datestyle = 'ISO'; set timezone = 'UTC'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
  set extra_float_digits = '1'; set standard_conforming_strings = 'on'`;

/** For the option `onConnect` of a `pg` pool: sets the formats of a new connection before the pool hands it out. */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(SET_OUTPUT);
}

/**
 * As {@link prepareSession}, but refuses a standby, where reads would miss acknowledged changes: during a fail-over a load
 * balancer may lead to one. Open connections need no check, as a primary becomes a standby only by a restart, which closes
 * them.
 *
 * @throws Error with the SQLSTATE of a write on a standby, 25006 (read_only_sql_transaction)
 */
export async function preparePrimarySession(client: pg.ClientBase): Promise<void> {
  await prepareSession(client);
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  if (rows[0]?.standby === true)
    throw Object.assign(new Error('The server is a standby, and not the primary'), { code: '25006' });
}
