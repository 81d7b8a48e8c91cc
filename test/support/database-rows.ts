import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { withClient } from './database-client.js';

/** Runs a statement whose columns are all of type text. */
type Ask = (statement: string) => Promise<(string | null)[][]>;

const TABLES = `
  select format('%I.%I', schemaname, tablename)::text from pg_tables
  where schemaname not in ('pg_catalog', 'information_schema') order by 1`;

/** Every row of every table, as PostgreSQL prints it, in an order that does not depend on the database. */
async function rowsByTable(ask: Ask): Promise<Record<string, string[]>> {
  await ask(`set timezone = 'UTC'`);
  const rows: Record<string, string[]> = {};
  for (const [table] of await ask(TABLES)) {
    // The time of a migration is a property of the database, not of the data.
    const row = table?.endsWith('mikro_orm_migrations') === true ? 'name' : 'to_jsonb(t)';
    rows[String(table)] = (await ask(`select ${row}::text from ${table} t order by 1`))
      .map(([text]) => String(text))
      .sort();
  }
  return rows;
}

/** {@link rowsByTable} of a database on a server. */
export async function serverRows(url: string): Promise<Record<string, string[]>> {
  return await withClient(url, (client) =>
    rowsByTable(async (text) => (await client.query<(string | null)[]>({ text, rowMode: 'array' })).rows),
  );
}

/** {@link rowsByTable} of an embedded database that no process has open. */
export async function embeddedRows(folder: string): Promise<Record<string, string[]>> {
  const pglite = await PGlite.create({ dataDir: join(folder, 'postgres') });
  try {
    return await rowsByTable(
      async (text) => (await pglite.query<(string | null)[]>(text, [], { rowMode: 'array' })).rows,
    );
  } finally {
    await pglite.close();
  }
}
