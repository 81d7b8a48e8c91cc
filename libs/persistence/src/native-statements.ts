import type { PgliteConnection } from '@mikro-orm/pglite';
import type { PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { ExtendedQuery } from './extended-query.js';
import { Statements, type Parameter, type Row, type Statement } from './statements.js';

/** A pool of `pg` promises what a query hands to its callback; its types say so only of `pg`'s own queries. */
interface QueryPool {
  query(query: ExtendedQuery): Promise<readonly Row[]>;
}

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
    return await (client as unknown as QueryPool).query(new ExtendedQuery(this.prepared ? name : '', text, values));
  }
}
