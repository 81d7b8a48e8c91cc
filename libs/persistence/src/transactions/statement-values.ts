import type { Parameter } from '../sql-executor.js';

/**
 * The values of a statement on their way through Kysely, which hands the parameters of a query to the driver as they are.
 * The connection knows by them that the query is a `Statement`: prepared under its name, with rows as arrays.
 */
export class StatementValues extends Array<Parameter> {
  /** Under which PostgreSQL keeps the statement; none where it is parsed each time. */
  statementName = '';

  static carrying(values: readonly Parameter[]): StatementValues {
    // A constructor of arrays takes one number for a length.
    const array = new StatementValues();
    array.push(...values);
    return array;
  }
}
