import { CompiledQuery, type Transaction } from 'kysely';
import { SqlExecutor, type Parameter, type Row, type Statement } from '../sql/sql-executor.js';
import { StatementValues } from '../sql/statement-values.js';

/** How statements are sent. */
export interface StatementSettings {
  readonly preparedStatements?: boolean | undefined;
}

/** Runs statements on the connection of a transaction. */
export class TransactionSqlExecutor extends SqlExecutor {
  constructor(
    private readonly transaction: Transaction<unknown>,
    private readonly settings: StatementSettings,
  ) {
    super();
  }

  override async run({ name, text }: Statement, values: readonly Parameter[]): Promise<readonly Row[]> {
    const { preparedStatements = true } = this.settings;
    const parameters = StatementValues.carrying(values);
    parameters.statementName = preparedStatements ? name : '';
    const { rows } = await this.transaction.executeQuery(CompiledQuery.raw(text, parameters));
    return rows.map((row) => (Array.isArray(row) ? (row as Row) : Object.values(row as object)));
  }
}
