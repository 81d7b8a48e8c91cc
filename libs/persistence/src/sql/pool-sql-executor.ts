import type { PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { DatabaseErrorCounts } from '../errors/database-errors.js';
import { ExtendedQuery } from './extended-query.js';
import type { DatabaseSettings } from '../database-settings.js';
import type { EmbeddedConnection } from '../embedded/embedded-driver.js';
import { SqlExecutor, type Parameter, type Row, type Statement } from './sql-executor.js';

type Settings = Partial<Pick<DatabaseSettings, 'preparedStatements'>>;

/** `pool.query` resolves to the rows of a custom query. The types of `pg` declare that only for its own queries. */
interface QueryPool {
  query(query: ExtendedQuery): Promise<readonly Row[]>;
}

/** Runs statements on the connections of MikroORM, for both databases. */
export class PoolSqlExecutor extends SqlExecutor {
  private readonly prepared: boolean;

  constructor(
    private readonly entityManager: SqlEntityManager,
    { preparedStatements = true }: Settings = {},
    private readonly errors?: DatabaseErrorCounts,
  ) {
    super();
    this.prepared = preparedStatements;
  }

  override async run(statement: Statement, values: readonly Parameter[]): Promise<readonly Row[]> {
    const connection = this.entityManager.getConnection() as unknown as PostgreSqlConnection | EmbeddedConnection;
    if ('refuseInside' in connection) connection.refuseInside();
    try {
      const client = await connection.getNativeClient();
      const { text } = statement;
      if ('waitReady' in client) {
        return (await client.query<Row[]>(text, [...values], { rowMode: 'array' })).rows;
      }
      const name = this.prepared ? statement.name : '';
      return await (client as unknown as QueryPool).query(new ExtendedQuery(name, text, values));
    } catch (error) {
      this.errors?.add(error);
      throw error;
    }
  }
}
