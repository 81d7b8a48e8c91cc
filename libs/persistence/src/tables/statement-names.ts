/** The names of a table's statements in metrics, traces and PostgreSQL. */
export interface StatementNames {
  readonly find: string;
  readonly pages: string;
  readonly add: string;
  readonly addOnce: string;
}

/** @returns the default names of a table's statements, in metrics, traces and PostgreSQL */
export function statementNames(table: string): StatementNames {
  return { find: `find_${table}`, pages: `find_${table}_pages`, add: `add_${table}`, addOnce: `add_${table}_once` };
}
