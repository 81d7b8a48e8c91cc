/**
 * Every advisory lock that the service takes. Those with one number are one key space of PostgreSQL, those with two another
 * one (manual, section 9.28.10): no lock of the first kind is one of the second.
 */
export const ADVISORY_LOCKS = {
  /** Held while migrations run, so that instances which are deployed together do not run them twice. */
  migration: 7_381_000,
  /** The {@link orderingLock} of the pets, whose number is older than the rule for tables. */
  pets: 7_381_001,
  /** Held while API keys change, so that two administrators cannot both give a name its only live key. */
  apiKeys: 7_381_002,
} as const;

/** The first number of the locks of tables; the second one is what PostgreSQL calls the table by, so no two are equal. */
const TABLES = 7_381;

/**
 * SQL that takes the lock of a table until the end of the transaction: held from the assignment of an id until its commit, by
 * whoever adds a row on any instance. So ids become visible in ascending order, and a client that walks the pages never
 * finds a new row behind it (ADR 0004).
 *
 * @param table as SQL writes its name
 */
export function orderingLock(table: string): string {
  if (table === '"pets"') return `pg_advisory_xact_lock(${ADVISORY_LOCKS.pets})`;
  return `pg_advisory_xact_lock(${TABLES}, '${table.replaceAll("'", "''")}'::regclass::oid::integer)`;
}
