import { withClient } from './sql.js';

/** Ends every connection to the database but its own, as a restart of the server does. @returns how many those were */
export async function loseConnections(url: string): Promise<number> {
  const { rowCount } = await withClient(url, (client) =>
    client.query(
      // Waits until each is gone, in milliseconds.
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    ),
  );
  return rowCount ?? 0;
}
