import { TransactionContext, type EventSubscriber, type TransactionEventArgs } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Logger } from '@nestjs/common';

type Work = () => void | Promise<void>;

/** Runs work after the commit of a transaction. A transaction that is rolled back is forgotten with its work. */
export class AfterCommit implements EventSubscriber {
  private readonly logger = new Logger(AfterCommit.name);
  private readonly works = new WeakMap<object, Work[]>();
  /** The transaction around the savepoint of an entity manager. */
  private readonly outer = new WeakMap<object, object>();

  constructor(private readonly root: SqlEntityManager) {}

  add(transaction: object, ...works: Work[]): void {
    this.works.set(transaction, [...(this.works.get(transaction) ?? []), ...works]);
  }

  beforeTransactionStart({ em, transaction }: TransactionEventArgs): void {
    if (transaction) this.outer.set(em, transaction as object);
    else this.outer.delete(em);
  }

  async afterTransactionCommit({ em, transaction }: TransactionEventArgs): Promise<void> {
    const works = this.works.get(transaction as object) ?? [];
    this.works.delete(transaction as object);
    // The end of a savepoint is no commit: its work waits for the commit of the transaction around it.
    const outer = this.outer.get(em);
    if (outer !== undefined) this.add(outer, ...works);
    else for (const work of works) await this.run(work);
  }

  /** Never rejects: what was committed stays committed. */
  async run(work: Work): Promise<void> {
    try {
      // In a context of its own, because the transaction is over, but not yet its context.
      await TransactionContext.create(this.root.fork({ disableContextResolution: true }), work);
    } catch (error) {
      this.logger.error({ err: error }, 'Work after a commit failed');
    }
  }
}
