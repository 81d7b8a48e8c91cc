import type { SqlEntityManager } from '@mikro-orm/sql';
import type { SqlExecutor } from '../sql/sql-executor.js';

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
