/** A statement that is sent often: PostgreSQL parses and plans it once for each connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A value that a statement carries. */
export type Value = string | number | boolean | null;

/** What stands for `$1` in a statement: a value, or an array of them. */
export type Parameter = Value | readonly Value[];

/**
 * A row as its columns, in their order. PostgreSQL hands each out as text, the embedded database as a value of JavaScript:
 * see {@link toBigInt} and {@link toBoolean}.
 */
export type Row = readonly unknown[];

/** Sends statements past the unit of work, for what is read or written as often as requests come (ADR 0006). */
export abstract class SqlExecutor {
  abstract run(statement: Statement, values: readonly Parameter[]): Promise<readonly Row[]>;
}

/** The same for statements that only read, and may be served by a replica where there is one (ADR 0010). */
export abstract class ReadSqlExecutor extends SqlExecutor {}

/** A `bigint` column: as text, or as a number where it is small. */
export function toBigInt(column: unknown): bigint {
  return BigInt(column as string | number | bigint);
}

/** A `boolean` column: as text it is a letter. */
export function toBoolean(column: unknown): boolean {
  return column === true || column === 't';
}
