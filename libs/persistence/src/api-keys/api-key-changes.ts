import type { SqlEntityManager } from '@mikro-orm/sql';
import type { UnitOfWork } from '@animal-store/kernel';
import { ADVISORY_LOCKS } from '../sql/advisory-locks.js';
import type { CurrentTransaction } from '../transactions/current-transaction.js';

/** Runs changes of API keys, one at a time. */
export class ApiKeyChanges {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly current: CurrentTransaction,
  ) {}

  /** Runs `work` in a unit of work after all earlier changes, with the time of the database. */
  run<Result>(work: (em: SqlEntityManager, now: Date) => Promise<Result>): Promise<Result> {
    return this.unitOfWork.run(async () => {
      const em = this.current.entityManager;
      // The lock ends with the transaction, so it works with a PgBouncer that pools by transaction.
      await em.execute(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.apiKeys})`);
      const [row] = await em.execute<{ now: number }[]>(
        'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
      );
      return work(em, new Date(Number(row?.now)));
    });
  }
}
