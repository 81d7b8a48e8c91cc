import { AsyncLocalStorage } from 'node:async_hooks';
import type { AnyEntity, EntityData, QueryResult } from '@mikro-orm/core';
import { PgliteConnection, PgliteDriver } from '@mikro-orm/pglite';

/** Where `execute` has the transaction among its parameters. */
const TRANSACTION = 3;

type Transaction = Parameters<Parameters<PgliteConnection['transactional']>[0]>[0];

/**
 * The one connection of the embedded database. A transaction has it for itself: whatever comes from elsewhere waits until its
 * end. What is called inside, and does not take part, would wait for itself: it is refused.
 */
export class EmbeddedConnection extends PgliteConnection {
  private readonly inside = new AsyncLocalStorage<true>();

  /** @throws Error inside a transaction */
  refuseInside(): void {
    if (this.inside.getStore() === undefined) return;
    throw new Error(
      'The embedded database has one connection, and the transaction around this call has it: ' +
        'work through CurrentTransaction or the injected entity manager, or outside of the transaction',
    );
  }

  override async transactional<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options?: Parameters<PgliteConnection['transactional']>[1],
  ): Promise<Result> {
    if (options?.ctx === undefined) this.refuseInside();
    return await super.transactional(async (transaction) => {
      const result = await this.inside.run(true, () => work(transaction));
      // Refused where a statement had failed, whoever caught its error: the commit would be a rollback, and not say so.
      await super.execute('select 1', [], 'run', transaction);
      return result;
    }, options);
  }

  override async execute<Result extends QueryResult | EntityData<AnyEntity> | EntityData<AnyEntity>[]>(
    ...query: Parameters<PgliteConnection['execute']>
  ): Promise<Result> {
    if (query[TRANSACTION] === undefined) this.refuseInside();
    return await super.execute<Result>(...query);
  }
}

/** MikroORM's driver, with that connection. */
export class EmbeddedDriver extends PgliteDriver {
  protected override readonly connection = new EmbeddedConnection(this.config);
}
