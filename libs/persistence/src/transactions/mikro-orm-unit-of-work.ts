import { setTimeout as delay } from 'node:timers/promises';
import { TransactionContext, TransactionEventBroadcaster } from '@mikro-orm/core';
import { SqlEntityManager } from '@mikro-orm/sql';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '@animal-store/kernel';
import { isRetryable, MAX_ATTEMPTS } from '../errors/database-errors.js';
import { onDatabase } from '../errors/unavailability.js';
import { AfterCommit } from './after-commit.js';
import { CurrentTransaction } from './current-transaction.js';

/** The longest pause before the second attempt, in milliseconds. It doubles for each further attempt. */
const FIRST_PAUSE_MS = 10;

/** Runs units of work as transactions of MikroORM. Injected entity managers and those of repositories are flushed before the commit. */
@Injectable()
export class MikroOrmUnitOfWork extends UnitOfWork {
  private readonly afterCommits: AfterCommit;

  /** @param root the entity manager of the application, whose events tell of the commits of all transactions */
  constructor(
    private readonly root: SqlEntityManager,
    private readonly current: CurrentTransaction,
  ) {
    super();
    this.afterCommits = new AfterCommit(root);
    root.getEventManager().registerSubscriber(this.afterCommits);
  }

  override run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.current.transaction === undefined ? onDatabase(() => this.runWithRetries(work)) : work();
  }

  override afterCommit(work: () => void | Promise<void>): void {
    const { transaction } = this.current;
    if (transaction === undefined) void this.afterCommits.run(work);
    else this.afterCommits.add(transaction, work);
  }

  private async runWithRetries<Result>(work: () => Promise<Result>): Promise<Result> {
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
    // A new entity manager, because entities that the request loaded before may be stale, above all in a second attempt.
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

/** Whether the entity manager has any entities. Otherwise there is no flush, which costs as much as a statement. */
function hasChanges(em: SqlEntityManager): boolean {
  const unit = em.getUnitOfWork();
  return unit.getPersistStack().size > 0 || unit.getRemoveStack().size > 0 || unit.getIdentityMap().keys().length > 0;
}
