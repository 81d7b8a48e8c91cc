import { pathToFileURL } from 'node:url';
import type { Migration } from '@mikro-orm/migrations';
import type { MigrationStatements } from './migration-check.ts';

type MigrationClass = new (driver: unknown, configuration: unknown) => Migration;

/**
 * The statements that the migration in a file sends, read without a database.
 *
 * @throws Error if the migration does more than call `addSql`: its statements cannot be determined then
 */
export async function readMigration(path: string): Promise<MigrationStatements> {
  const exported = Object.values((await import(pathToFileURL(path).href)) as object) as unknown[];
  // MikroORM finds the class in the same way.
  const Found = exported.find((value) => typeof value === 'function') as MigrationClass | undefined;
  if (Found === undefined) throw new Error('It exports no class');
  const migration = new Found(undefined, undefined);
  try {
    await migration.up();
  } catch (error) {
    throw new Error('It asks the database in up(). A migration that is checked says all by addSql', { cause: error });
  }
  const texts = migration.getQueries().map((query) => (typeof query === 'string' ? query : textOf(query)));
  return { texts, isTransactional: migration.isTransactional() };
}

/** @throws Error if the query is not a text and contains none */
function textOf(query: object): string {
  const { sql } = query as { sql?: unknown };
  if (typeof sql === 'string') return sql;
  throw new Error('It sends a query that is no text');
}
