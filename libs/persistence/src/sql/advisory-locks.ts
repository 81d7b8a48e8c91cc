/**
 * The numbers of all advisory locks of the service. Locks with one number and locks with two numbers are separate key spaces of
 * PostgreSQL (manual, section 9.28.10).
 */
export const ADVISORY_LOCKS = {
  /** Held while migrations run, so that instances that start together do not run them twice. */
  migration: 7_381_000,
  /** Held while API keys change, so that two administrators cannot create two live keys with one name. */
  apiKeys: 7_381_001,
} as const;

/** The first number of the locks of tables. The second is the unique number of the table in PostgreSQL (oid). */
const TABLES = 7_381;

/**
 * SQL that takes the lock of a table until the end of the transaction. Every addition on any instance holds it from the assignment
 * of the id until the commit. So ids become visible in ascending order, and a client that reads page after page misses no row
 * (ADR 0004).
 *
 * @param table the quoted name
 */
export function orderingLock(table: string): string {
  return `pg_advisory_xact_lock(${TABLES}, '${table.replaceAll("'", "''")}'::regclass::oid::integer)`;
}
