/** A prepared statement: PostgreSQL parses and plans it once for each connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A value of a parameter. */
export type Value = string | number | boolean | null;

/** The value of a parameter such as `$1`: a value or an array of values. */
export type Parameter = Value | readonly Value[];

/**
 * The columns of a row, in their order. A PostgreSQL server returns them as text, the embedded database as JavaScript values
 * ({@link toBigInt}, {@link toBoolean}).
 */
export type Row = readonly unknown[];

/** Runs statements outside of units of work, for frequent reads and writes (ADR 0006). */
export abstract class SqlExecutor {
  abstract run(statement: Statement, values: readonly Parameter[]): Promise<readonly Row[]>;
}

/** Runs statements that only read. With DATABASE_READ_URL another server may serve them (ADR 0010). */
export abstract class ReadSqlExecutor extends SqlExecutor {}

/** Converts a `bigint` column. It is text, or a number if it is small. */
export function toBigInt(column: unknown): bigint {
  return BigInt(column as string | number | bigint);
}

/** Converts a `boolean` column. As text it is `t` or `f`. */
export function toBoolean(column: unknown): boolean {
  return column === true || column === 't';
}
