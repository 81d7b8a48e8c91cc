/** A value in PostgreSQL's text format. */
export type Text = string | null;

/**
 * One connection to PostgreSQL, which runs one statement after the other. Parameters and results are text, so that no value is
 * converted to a JavaScript type that cannot hold it. Statements cast values of other types.
 */
export interface Session {
  /** @returns the rows, each with its columns in their order */
  query(text: string, values?: readonly (Text | readonly Text[])[]): Promise<Text[][]>;
}

/** The settings of a transfer: the text format of values, no hidden rows and no time limits. */
const SETTINGS = [
  `set local timezone = 'UTC'`,
  `set local datestyle = 'ISO, YMD'`,
  `set local intervalstyle = 'postgres'`,
  `set local extra_float_digits = 3`,
  `set local bytea_output = 'hex'`,
  `set local row_security = off`,
  `set local statement_timeout = 0`,
  `set local lock_timeout = 0`,
  `set local idle_in_transaction_session_timeout = 0`,
];

/** Runs the work in a transaction. @param characteristics those of `begin` */
export async function inTransaction<Result>(
  session: Session,
  characteristics: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await session.query(`begin ${characteristics}`);
  try {
    for (const setting of SETTINGS) await session.query(setting);
    const result = await work();
    await session.query('commit');
    return result;
  } catch (error) {
    // The first error is thrown, and not that of the rollback.
    await session.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** A quoted name in SQL. */
export function identifier(...parts: readonly (string | null)[]): string {
  return parts
    .filter((part) => part !== null)
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');
}
