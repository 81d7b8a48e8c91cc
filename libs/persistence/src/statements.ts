import type { PgliteConnection } from '@mikro-orm/pglite';
import type { PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { SqlEntityManager } from '@mikro-orm/sql';

/** A statement that is sent often: PostgreSQL parses and plans it once for each connection, under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A row as its columns, in their order. `bigint` comes as text, or as a number or bigint: see {@link toBigInt}. */
export type Row = readonly unknown[];

/** Sends statements past the unit of work, for what is read or written as often as requests come (ADR 0006). */
export abstract class Statements {
  abstract run(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>;
}

/** The same for statements that only read, and may be served by a replica where there is one (ADR 0010). */
export abstract class ReadStatements extends Statements {}

/** On the connections of a MikroORM, whichever database it uses. */
export class NativeStatements extends Statements {
  /** @param prepared whether statements keep their names; a PgBouncer that pools by transaction may need them without */
  constructor(
    private readonly entityManager: SqlEntityManager,
    private readonly prepared = true,
  ) {
    super();
  }

  override async run({ name, text }: Statement, values: readonly unknown[]): Promise<readonly Row[]> {
    const connection = this.entityManager.getConnection() as unknown as PostgreSqlConnection | PgliteConnection;
    const client = await connection.getNativeClient();
    if ('waitReady' in client) {
      return (await client.query<Row[]>(text, [...values], { rowMode: 'array' })).rows;
    }
    const query = { text, values: [...values], rowMode: 'array' as const };
    return (await client.query<Row[]>(this.prepared ? { ...query, name } : query)).rows;
  }
}

/** The drivers hand a `bigint` column out as text, or as a number where it is small. */
export function toBigInt(column: unknown): bigint {
  return BigInt(column as string | number | bigint);
}
