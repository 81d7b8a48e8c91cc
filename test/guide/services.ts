import { freePort } from '../support/free-port.js';
import type { ServerDatabase } from '../support/databases.js';
import { startApp, type RunningApp } from '../support/running-app.js';
import { withClient } from '../support/sql.js';

/** Services in the states that a page needs, by the name after `service=`. A block without a name uses `usual`. */
export const SERVICES: Readonly<Record<string, (database: ServerDatabase) => Promise<RunningApp>>> = {
  usual: (database) => startApp(database),
  limited: (database) => startApp(database, { RATE_LIMIT_PER_MINUTE: '2' }),
  withoutDatabase: async (database) =>
    startApp({
      ...database,
      environment: {
        ...database.environment,
        DATABASE_URL: `postgresql://nobody:nothing@127.0.0.1:${await freePort()}/nowhere`,
      },
    }),
};

/** A pet as stored in the table. */
export interface Row {
  readonly id: bigint;
  readonly name: string;
  readonly categoryId?: bigint;
  readonly status?: string;
}

/** Adds pets with these ids before a service starts on the database. */
export async function addPets(database: ServerDatabase, rows: readonly Row[]): Promise<void> {
  await withClient(database.url, async (client) => {
    for (const { id, name, categoryId = 7n, status = 'available' } of rows) {
      await client.query('insert into pets (id, name, category_id, status) values ($1, $2, $3, $4)', [
        id,
        name,
        categoryId,
        status,
      ]);
    }
    const next = rows.reduce((highest, { id }) => (id > highest ? id : highest), 0n) + 1n;
    await client.query(`select setval(pg_get_serial_sequence('pets', 'id'), $1, false)`, [next]);
  });
}
