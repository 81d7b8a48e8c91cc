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

/** Does the work while no other connection can read or add pets. Blocked connections continue afterwards. */
export async function whilePetsAreLocked<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  return await withClient(url, async (client) => {
    await client.query('begin; lock table pets in access exclusive mode');
    const result = await work();
    await client.query('commit');
    return result;
  });
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

/** The names of the tables of the service, without the table of its migrations. */
export async function tablesOf(url: string): Promise<string[]> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema not in ('pg_catalog', 'information_schema') and table_name <> 'mikro_orm_migrations'
       order by table_name`,
    ),
  );
  return rows.map(({ name }) => name);
}
