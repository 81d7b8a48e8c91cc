import { withClient } from './database-client.js';

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
