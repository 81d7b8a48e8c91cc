import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** A separate connection of the test to a PostgreSQL database, for work that no port of the service can do. */
export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Ends the session of this statement. Waits for it, because the server may answer a statement before it handles the signal. */
export const LOSE = 'select pg_terminate_backend(pg_backend_pid()), pg_sleep(20)';

/** Ends all other connections to the database, as a restart of the server does. @returns the number of connections */
export async function loseConnections(url: string): Promise<number> {
  const { rowCount } = await withClient(url, (client) =>
    client.query(
      // The second argument is the longest wait for the end of a connection, in milliseconds.
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    ),
  );
  return rowCount ?? 0;
}

/**
 * Resolves when a statement waits for a lock. It uses a new connection, because a transaction sees the activity of the
 * server as it was at the start of the transaction.
 */
export async function untilBlocked(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await client.query(waiting)).rowCount === 0) await delay(20);
  });
}
