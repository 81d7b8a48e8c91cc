import { setTimeout as delay } from 'node:timers/promises';
import { TransactionContext, TransactionEventBroadcaster } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { UnitOfWork } from '@animal-store/kernel';
import { isRetryable, onDatabase } from '../errors/database-errors.js';
import type { CurrentTransaction } from './current-transaction.js';

/** How often work is run at most while the database cannot order it among others. */
const MAX_ATTEMPTS = 5;

/** What a second attempt waits for at most, in milliseconds; the next ones for twice as long each. */
const FIRST_PAUSE_MS = 10;

/** In a transaction of MikroORM: an entity manager that is injected, or belongs to a repository, is flushed before the commit. */
export class MikroOrmUnitOfWork extends UnitOfWork {
  /** @param root the entity manager of the application */
  constructor(
    private readonly root: SqlEntityManager,
    private readonly current: CurrentTransaction,
  ) {
    super();
  }

  override run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.current.statements === undefined ? onDatabase(() => this.runUntilOrdered(work)) : work();
  }

  private async runUntilOrdered<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.runOnce(work);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error;
        await delay(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));
      }
    }
  }

  private runOnce<Result>(work: () => Promise<Result>): Promise<Result> {
    // What the request has loaded before may be out of date, above all in a second attempt.
    const em = this.root.fork({ disableContextResolution: true, cloneEventManager: true });
    const eventBroadcaster = new TransactionEventBroadcaster(em);
    return TransactionContext.create(em, () =>
      em.getConnection().transactional(
        async (transaction) => {
          em.setTransactionContext(transaction);
          const result = await work();
          if (hasChanges(em)) await em.flush();
          return result;
        },
        { eventBroadcaster },
      ),
    );
  }
}

/** Whether anything was loaded by the entity manager, or given to it: to look for changes costs as much as a statement. */
function hasChanges(em: SqlEntityManager): boolean {
  const unit = em.getUnitOfWork();
  return unit.getPersistStack().size > 0 || unit.getRemoveStack().size > 0 || unit.getIdentityMap().keys().length > 0;
}
