import { TransactionContext } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { type Transaction, CompiledQuery } from 'kysely';
import { StatementValues } from '../sql/extended-query.js';
import { SqlExecutor, type Parameter, type Row, type Statement } from '../sql/sql-executor.js';

/**
 * The current transaction, begun by `UnitOfWork`, `em.transactional` or `@Transactional`. A repository that uses it takes part in
 * the transaction.
 */
export abstract class CurrentTransaction {
  /** Runs statements on the connection of the transaction; `undefined` outside of a transaction. */
  abstract get statements(): SqlExecutor | undefined;

  /** The entity manager of the transaction; outside of a transaction, a new fork. */
  abstract get entityManager(): SqlEntityManager;
}

/** Reads the entity manager of the current transaction from MikroORM's asynchronous context. */
export class MikroOrmCurrentTransaction extends CurrentTransaction {
  /** @param root the entity manager of the application */
  constructor(
    private readonly root: SqlEntityManager,
    private readonly settings: StatementSettings,
  ) {
    super();
  }

  override get statements(): SqlExecutor | undefined {
    const transaction = this.open?.getTransactionContext<Transaction<unknown>>();
    return transaction && new TransactionSqlExecutor(transaction, this.settings);
  }

  override get entityManager(): SqlEntityManager {
    return this.open ?? this.root.fork({ disableContextResolution: true });
  }

  private get open(): SqlEntityManager | undefined {
    const em = TransactionContext.getEntityManager(this.root.name);
    return em?.isInTransaction() === true ? (em as SqlEntityManager) : undefined;
  }
}

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
