import { Logger } from '@nestjs/common';
import type { PostgreSqlConnection } from '@mikro-orm/postgresql';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { ExtendedQuery, MissingPartError } from './accelerators/extended-query.js';
import type { DatabaseSettings } from './database-settings.js';
import type { EmbeddedConnection } from './embedded/embedded-driver.js';
import { AS_TEXT } from './lent-client.js';
import { Statements, type Parameter, type Row, type Statement } from './statements.js';

type Settings = Partial<Pick<DatabaseSettings, 'preparedStatements' | 'extendedQuery'>>;

/** A pool of `pg` promises what a query hands to its callback; its types say so only of `pg`'s own queries. */
interface QueryPool {
  query(query: ExtendedQuery): Promise<readonly Row[]>;
}

/** On the connections of a MikroORM, whichever database it uses. */
export class NativeStatements extends Statements {
  private readonly prepared: boolean;
  private extended: boolean;

  constructor(
    private readonly entityManager: SqlEntityManager,
    { preparedStatements = true, extendedQuery = true }: Settings = {},
  ) {
    super();
    this.prepared = preparedStatements;
    this.extended = extendedQuery;
  }

  override async run(statement: Statement, values: readonly Parameter[]): Promise<readonly Row[]> {
    const connection = this.entityManager.getConnection() as unknown as PostgreSqlConnection | EmbeddedConnection;
    if ('refuseInside' in connection) connection.refuseInside();
    const client = await connection.getNativeClient();
    const { text } = statement;
    if ('waitReady' in client) {
      return (await client.query<Row[]>(text, [...values], { rowMode: 'array' })).rows;
    }
    const name = this.prepared ? statement.name : '';
    if (this.extended) {
      try {
        return await (client as unknown as QueryPool).query(new ExtendedQuery(name, text, values));
      } catch (error) {
        if (!(error instanceof MissingPartError)) throw error;
        this.giveUp(error);
      }
    }
    return (await client.query<unknown[]>({ name, text, values: [...values], types: AS_TEXT, rowMode: 'array' })).rows;
  }

  private giveUp({ message }: MissingPartError): void {
    if (!this.extended) return;
    this.extended = false;
    new Logger(NativeStatements.name).warn(
      `The service works without its accelerator extended-query, and slower: ${message}`,
    );
  }
}
