/** A value as PostgreSQL writes it. */
export type Text = string | null;

/**
 * One connection of PostgreSQL, on which one thing is done after the other. Values go there and come from there as text, so a
 * statement casts what is anything else: no value passes through a type of JavaScript that could not hold it.
 */
export interface Session {
  /** @returns the rows, each as its columns in their order */
  query(text: string, values?: readonly (Text | readonly Text[])[]): Promise<Text[][]>;
}

/** In which notation values are written and read, and that nothing is cut off: no time limit, and no row that is hidden. */
const TEXT_FORM = [
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

/** Does the work in a transaction. @param characteristics as `begin` takes them */
export async function inTransaction<Result>(
  session: Session,
  characteristics: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await session.query(`begin ${characteristics}`);
  try {
    for (const setting of TEXT_FORM) await session.query(setting);
    const result = await work();
    await session.query('commit');
    return result;
  } catch (error) {
    // What failed is told, and not that the connection is away as well.
    await session.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** A name in SQL. */
export function identifier(...parts: readonly (string | null)[]): string {
  return parts
    .filter((part) => part !== null)
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');
}
