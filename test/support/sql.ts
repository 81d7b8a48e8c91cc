import pg from 'pg';

/** A connection of the test's own to a PostgreSQL database, for what no port of the service can do. */
export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The names of the tables of the service, without the list of its migrations. */
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
