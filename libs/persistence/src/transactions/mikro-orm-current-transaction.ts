import { TransactionContext } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import type { Transaction } from 'kysely';
import type { SqlExecutor } from '../sql/sql-executor.js';
import { CurrentTransaction } from './current-transaction.js';
import { TransactionSqlExecutor, type StatementSettings } from './transaction-sql-executor.js';

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
