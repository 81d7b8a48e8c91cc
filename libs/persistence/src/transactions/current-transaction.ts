import type { SqlEntityManager } from '@mikro-orm/sql';
import type { SqlExecutor } from '../sql/sql-executor.js';

/**
 * The transaction that the caller is in, whichever way it was begun: by `UnitOfWork`, `em.transactional` or `@Transactional`.
 * A repository that works through it takes part.
 */
export abstract class CurrentTransaction {
  /** Statements on the connection of the transaction; `undefined` outside of one. */
  abstract get statements(): SqlExecutor | undefined;

  /** The entity manager of the transaction, or else a fork of its own. */
  abstract get entityManager(): SqlEntityManager;
}
