import type pg from 'pg';
import { PooledClient } from './pooled-client.js';

/** What PostgreSQL says on a standby of a statement that writes (read_only_sql_transaction). */
const READ_ONLY = '25006';

/** An address that shall lead to the primary leads to a server that follows another one: a fail-over is under way. */
class NoPrimaryError extends Error {
  readonly code = READ_ONLY;

  constructor() {
    super('The server is a standby, and not the primary');
  }
}

/**
 * For the option `verify` of a pool of `pg`, which asks it of every new connection. A balancer that has not noticed yet leads
 * to a server that was the primary, or that will be it: reads there would miss what was acknowledged before them. A primary
 * becomes a standby by a restart alone, so one that was open before is not open any more.
 */
export function refuseStandby(client: pg.PoolClient, done: (error?: Error) => void): void {
  done(client instanceof PooledClient && client.isStandby ? new NoPrimaryError() : undefined);
}
