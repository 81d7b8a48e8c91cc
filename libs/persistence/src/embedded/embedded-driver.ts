import { AsyncLocalStorage } from 'node:async_hooks';
import type { AnyEntity, EntityData, QueryResult } from '@mikro-orm/core';
import { PgliteConnection, PgliteDriver } from '@mikro-orm/pglite';

type Transactional = PgliteConnection['transactional'];
type Transaction = Parameters<Parameters<Transactional>[0]>[0];

/**
 * The only connection of the embedded database. During a transaction all other statements wait. A call inside a transaction that
 * does not take part in it would wait for itself, so it is refused.
 */
export class EmbeddedConnection extends PgliteConnection {
  private readonly inside = new AsyncLocalStorage<true>();

  private refuseInside(): void {
    if (this.inside.getStore() === undefined) return;
    throw new Error(
      'The embedded database has one connection, and the transaction around this call has it: ' +
        'work through the injected entity manager, or outside of the transaction',
    );
  }

  override async transactional<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options?: Parameters<Transactional>[1],
  ): Promise<Result> {
    if (options?.ctx === undefined) this.refuseInside();
    return await super.transactional(async (transaction) => {
      const result = await this.inside.run(true, () => work(transaction));
      // Fails if a statement has failed, even if its error was caught. Otherwise the commit would silently roll back.
      await super.execute('select 1', [], 'run', transaction);
      return result;
    }, options);
  }

  override async execute<Result extends QueryResult | EntityData<AnyEntity> | EntityData<AnyEntity>[]>(
    ...query: Parameters<PgliteConnection['execute']>
  ): Promise<Result> {
    // The fourth parameter is the transaction.
    if (query[3] === undefined) this.refuseInside();
    return await super.execute<Result>(...query);
  }
}

/** MikroORM's driver with an {@link EmbeddedConnection}. */
export class EmbeddedDriver extends PgliteDriver {
  protected override readonly connection = new EmbeddedConnection(this.config);
}
