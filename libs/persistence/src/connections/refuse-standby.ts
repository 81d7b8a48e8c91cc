import type pg from 'pg';
import { PooledClient } from './pooled-client.js';

/** The SQLSTATE of a write on a standby (read_only_sql_transaction). */
const READ_ONLY = '25006';

/** The address of the primary leads to a standby, as during a fail-over. */
class NoPrimaryError extends Error {
  readonly code = READ_ONLY;

  constructor() {
    super('The server is a standby, and not the primary');
  }
}

/**
 * For the option `verify` of a `pg` pool, which calls it for every new connection. During a fail-over a load balancer may lead to
 * the old or to the next primary. Reads there would miss acknowledged changes. A primary becomes a standby only by a restart,
 * which closes its connections; so open connections need no check.
 */
export function refuseStandby(client: pg.PoolClient, done: (error?: Error) => void): void {
  done(client instanceof PooledClient && client.isStandby ? new NoPrimaryError() : undefined);
}
