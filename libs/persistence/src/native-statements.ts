import type { PgliteConnection } from '@mikro-orm/pglite';
import type { PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { CustomTypesConfig } from 'pg';
import { Statements, type Parameter, type Row, type Statement } from './statements.js';

/** Leaves every column the text that PostgreSQL sends. */
const AS_TEXT: CustomTypesConfig = { getTypeParser: () => (text: string | Buffer) => text };

/** On the connections of a MikroORM, whichever database it uses. */
export class NativeStatements extends Statements {
  /** @param prepared whether statements keep their names; a PgBouncer that pools by transaction may need them without */
  constructor(
    private readonly entityManager: SqlEntityManager,
    private readonly prepared = true,
  ) {
    super();
  }

  override async run({ name, text }: Statement, values: readonly Parameter[]): Promise<readonly Row[]> {
    const connection = this.entityManager.getConnection() as unknown as PostgreSqlConnection | PgliteConnection;
    const client = await connection.getNativeClient();
    if ('waitReady' in client) {
      return (await client.query<Row[]>(text, [...values], { rowMode: 'array' })).rows;
    }
    const statement = { ...(this.prepared && { name }), text, values: [...values], types: AS_TEXT };
    return (await client.query<unknown[]>({ ...statement, rowMode: 'array' })).rows;
  }
}
