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
