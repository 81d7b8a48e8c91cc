import type { MikroORM } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';

const MIGRATIONS_TABLE = 'mikro_orm_migrations';

/** The database does not have the schema of this version. */
export class PendingMigrationsError extends Error {
  constructor(names: readonly string[]) {
    super(`Migrations are pending: ${names.join(', ')}. Run npm run db:migrate`);
  }
}

/** The names of the migrations that the database lacks. Changes nothing, not even on an empty database. */
export async function pendingMigrations(orm: MikroORM): Promise<string[]> {
  const em = orm.em.fork() as SqlEntityManager;
  const [row] = await em.execute<{ found: boolean }[]>(
    `select to_regclass('${MIGRATIONS_TABLE}') is not null as found`,
  );
  // The migrator would create its table, so it is called only if the table exists.
  if (row?.found !== true) return ['all'];
  return (await orm.migrator.getPending()).map(({ name }) => name);
}
