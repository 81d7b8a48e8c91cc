import { setTimeout as delay } from 'node:timers/promises';
import { TransactionContext, TransactionEventBroadcaster } from '@mikro-orm/core';
import { SqlEntityManager } from '@mikro-orm/sql';
import { Injectable, Logger } from '@nestjs/common';
import { UnitOfWork } from '@animal-store/kernel';
import { isRetryable, MAX_ATTEMPTS } from '../errors/database-errors.js';
import { onDatabase } from '../errors/unavailability.js';
import { CurrentTransaction } from './current-transaction.js';

/** The longest pause before the second attempt, in milliseconds. It doubles for each further attempt. */
const FIRST_PAUSE_MS = 10;

/** The part of an event of MikroORM that is used here. */
interface Event {
  readonly em: object;
  readonly transaction?: object;
}

type AfterCommit = () => void | Promise<void>;

/** Runs units of work as transactions of MikroORM. Injected entity managers and those of repositories are flushed before the commit. */
@Injectable()
export class MikroOrmUnitOfWork extends UnitOfWork {
  private readonly logger = new Logger(MikroOrmUnitOfWork.name);
  /** What runs after the commit of each transaction. A transaction that is rolled back is forgotten with its work. */
  private readonly later = new WeakMap<object, AfterCommit[]>();
  /** The transaction around the savepoint of an entity manager. */
  private readonly outer = new WeakMap<object, object>();

  /** @param root the entity manager of the application, whose events tell of the commits of all transactions */
  constructor(
    private readonly root: SqlEntityManager,
    private readonly current: CurrentTransaction,
  ) {
    super();
    root.getEventManager().registerSubscriber({
      beforeTransactionStart: ({ em, transaction }: Event) => {
        if (transaction !== undefined) this.outer.set(em, transaction);
      },
      afterTransactionCommit: ({ em, transaction }: Event) => this.committed(em, transaction),
    });
  }

  override run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.current.statements === undefined ? onDatabase(() => this.runWithRetries(work)) : work();
  }

  override afterCommit(work: AfterCommit): void {
    const { transaction } = this.current;
    if (transaction === undefined) void this.runLogged(work);
    else this.keep(transaction, [work]);
  }

  private keep(transaction: object, works: readonly AfterCommit[]): void {
    this.later.set(transaction, [...(this.later.get(transaction) ?? []), ...works]);
  }

  private async committed(em: object, transaction: object | undefined): Promise<void> {
    const later = transaction && this.later.get(transaction);
    if (transaction === undefined || later === undefined) return;
    this.later.delete(transaction);
    // The end of a savepoint is no commit: its work waits for the commit of the transaction around it.
    const outer = 'savepointName' in transaction ? this.outer.get(em) : undefined;
    if (outer !== undefined) {
      this.keep(outer, later);
      return;
    }
    // In a context of its own, because the transaction is over, but not yet its context.
    const context = this.root.fork({ disableContextResolution: true });
    for (const work of later) await TransactionContext.create(context, () => this.runLogged(work));
  }

  private async runLogged(work: AfterCommit): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.error({ err: error }, 'Work after a commit failed');
    }
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
