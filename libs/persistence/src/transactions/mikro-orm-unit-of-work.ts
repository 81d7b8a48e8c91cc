import { setTimeout as delay } from 'node:timers/promises';
import { TransactionContext } from '@mikro-orm/core';
import { SqlEntityManager } from '@mikro-orm/sql';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '@animal-store/kernel';
import { isRetryable, MAX_ATTEMPTS } from '../errors/database-errors.js';
import { onDatabase } from '../errors/translate-database-error.js';

/** The longest pause before the second attempt, in milliseconds. It doubles for each further attempt. */
const FIRST_PAUSE_MS = 10;

/** The transaction of `UnitOfWork`, `em.transactional` or `@Transactional`, in which injected entity managers take part too. */
@Injectable()
export class CurrentTransaction {
  constructor(private readonly root: SqlEntityManager) {}

  get isOpen(): boolean {
    return this.open !== undefined;
  }

  /** The entity manager of the transaction; outside of a transaction, a new fork: what was loaded before may be stale. */
  get entityManager(): SqlEntityManager {
    return this.open ?? this.root.fork({ disableContextResolution: true });
  }

  private get open(): SqlEntityManager | undefined {
    const em = TransactionContext.getEntityManager(this.root.name);
    return em?.isInTransaction() === true ? (em as SqlEntityManager) : undefined;
  }
}

/** Runs units of work as transactions of MikroORM. Injected entity managers and repositories are flushed before the commit. */
@Injectable()
export class MikroOrmUnitOfWork extends UnitOfWork {
  constructor(private readonly current: CurrentTransaction) {
    super();
  }

  override run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.current.isOpen ? work() : onDatabase(() => this.runWithRetries(work));
  }

  private async runWithRetries<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.current.entityManager.transactional(work);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isRetryable(error)) throw error;
        await delay(Math.random() * FIRST_PAUSE_MS * 2 ** (attempt - 1));
      }
    }
  }
}
