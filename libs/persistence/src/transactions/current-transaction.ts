import { TransactionContext } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { CompiledQuery, type Transaction } from 'kysely';
import { StatementValues } from '../sql/extended-query.js';
import { SqlExecutor, type Parameter, type Row, type Statement } from '../sql/sql-executor.js';

/**
 * The current transaction, begun by `UnitOfWork`, `em.transactional` or `@Transactional`. A repository that uses it takes part in
 * the transaction. MikroORM knows the transaction in its asynchronous context.
 */
export class CurrentTransaction {
  /** @param root the entity manager of the application */
  constructor(
    private readonly root: SqlEntityManager,
    private readonly preparedStatements = true,
  ) {}

  /** Runs statements on the connection of the transaction; `undefined` outside of a transaction. */
  get statements(): SqlExecutor | undefined {
    const { transaction } = this;
    return transaction && new TransactionSqlExecutor(transaction, this.preparedStatements);
  }

  /** The transaction of Kysely; `undefined` outside of a transaction. */
  get transaction(): Transaction<unknown> | undefined {
    return this.open?.getTransactionContext<Transaction<unknown>>();
  }

  /** The entity manager of the transaction; outside of a transaction, a new fork. */
  get entityManager(): SqlEntityManager {
    return this.open ?? this.root.fork({ disableContextResolution: true });
  }

  private get open(): SqlEntityManager | undefined {
    const em = TransactionContext.getEntityManager(this.root.name);
    return em?.isInTransaction() === true ? (em as SqlEntityManager) : undefined;
  }
}

/** Runs statements on the connection of a transaction. */
class TransactionSqlExecutor extends SqlExecutor {
  constructor(
    private readonly transaction: Transaction<unknown>,
    private readonly preparedStatements: boolean,
  ) {
    super();
  }

  override async run({ name, text }: Statement, values: readonly Parameter[]): Promise<readonly Row[]> {
    const parameters = StatementValues.carrying(values);
    parameters.statementName = this.preparedStatements ? name : '';
    const { rows } = await this.transaction.executeQuery(CompiledQuery.raw(text, parameters));
    return rows.map((row) => (Array.isArray(row) ? (row as Row) : Object.values(row as object)));
  }
}
