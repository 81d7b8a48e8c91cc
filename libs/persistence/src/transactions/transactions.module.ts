import { EntityManager } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Module, type DynamicModule } from '@nestjs/common';
import { UnitOfWork } from '@animal-store/kernel';
import { CurrentTransaction, MikroOrmCurrentTransaction, type StatementSettings } from './current-transaction.js';
import { MikroOrmUnitOfWork } from './mikro-orm-unit-of-work.js';

/** The unit of work, and the current transaction for repositories. */
@Module({})
export class TransactionsModule {
  static forRoot(settings: StatementSettings): DynamicModule {
    return {
      module: TransactionsModule,
      providers: [
        {
          provide: CurrentTransaction,
          useFactory: (em: SqlEntityManager) => new MikroOrmCurrentTransaction(em, settings),
          inject: [EntityManager],
        },
        {
          provide: UnitOfWork,
          useFactory: (em: SqlEntityManager, current: CurrentTransaction) => new MikroOrmUnitOfWork(em, current),
          inject: [EntityManager, CurrentTransaction],
        },
      ],
      exports: [CurrentTransaction, UnitOfWork],
    };
  }
}
