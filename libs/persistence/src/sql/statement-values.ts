import type { Parameter } from './sql-executor.js';

/**
 * The values of a statement that is sent through Kysely, which passes parameters to the driver unchanged. By this class the
 * connection recognizes a `Statement`, which it prepares under its name and whose rows are arrays.
 */
export class StatementValues extends Array<Parameter> {
  /** The name of the prepared statement; empty if the statement is not prepared. */
  statementName = '';

  static carrying(values: readonly Parameter[]): StatementValues {
    // The constructor of arrays would take a single number for a length.
    const array = new StatementValues();
    array.push(...values);
    return array;
  }
}
