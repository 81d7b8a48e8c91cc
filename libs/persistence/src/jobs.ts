import { hash } from 'node:crypto';
import { MikroORM, RequestContext } from '@mikro-orm/core';
import type { PGlite } from '@electric-sql/pglite';
import type { PgliteConnection } from '@mikro-orm/pglite';
import type { PostgreSqlConnection } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type pg from 'pg';
import { onDatabase } from './errors/unavailability.js';
import { WITHOUT_TIME_LIMITS } from './migrator/migration-lock.js';

/** Runs work of which only one instance of the service may do a piece at a time, such as that of a timer. */
@Injectable()
export class Jobs implements OnModuleDestroy {
  private readonly stopping = new AbortController();
  /** The work of this instance, by name. */
  private readonly running = new Map<string, Promise<boolean>>();

  constructor(private readonly orm: MikroORM) {}

  /**
   * Runs the work unless work of this name is in progress, on this instance or on another. If timers of several instances fire one
   * after the other, the work may run several times: it should find nothing to do then.
   *
   * While the work runs, one connection of the pool holds a lock in a transaction that does nothing else. So the lock also works
   * behind a PgBouncer that pools by transaction. The work has its own units of work, which are not part of that transaction, and an
   * entity manager of its own, as a request has.
   *
   * @param name the same on all instances. Names of all modules are in one space: begin with that of the module, as
   *   `orders.close-old`
   * @param work should end soon when its signal is aborted: the service stops, or the lock was lost and another instance may begin
   * @returns whether the work ran
   * @throws the error of the work, or an error of the kind `unavailable` if the lock could not be asked for
   */
  async onOneInstance(name: string, work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    if (this.running.has(name) || this.stopping.signal.aborted) return false;
    const inContext = (signal: AbortSignal) => RequestContext.create(this.orm.em, () => work(signal));
    const running = this.underLock(name, inContext);
    this.running.set(name, running);
    return await running.finally(() => this.running.delete(name));
  }

  /** Resolves when no work is in progress: the pool is closed afterwards. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled(this.running.values());
  }

  private async underLock(name: string, work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    const connection = this.orm.em.getConnection() as unknown as PostgreSqlConnection | PgliteConnection;
    const database = await onDatabase<pg.Pool | PGlite>(() => connection.getNativeClient());
    // Only this process uses the embedded database.
    if ('waitReady' in database) return work(this.stopping.signal).then(() => true);
    const client = await onDatabase(() => database.connect());
    const lost = new AbortController();
    const abort = () => {
      lost.abort();
    };
    client.once('end', abort);
    try {
      if (!(await onDatabase(() => takesLock(client, name)))) return false;
      await work(AbortSignal.any([this.stopping.signal, lost.signal]));
      return true;
    } finally {
      client.off('end', abort);
      const isOver = await client.query('rollback').then(
        () => true,
        () => false,
      );
      client.release(!isOver);
    }
  }
}

/** Takes the lock until the end of the transaction, which has no time limits. By the simple protocol it has no snapshot either. */
async function takesLock(client: pg.PoolClient, name: string): Promise<boolean> {
  await client.query('begin');
  // 64 bits of a hash, so that no two names and none of `ADVISORY_LOCKS` have the same number.
  const number = hash('sha256', `job ${name}`, 'buffer').readBigInt64BE();
  const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_xact_lock(${number}) as taken`);
  if (rows[0]?.taken !== true) return false;
  await client.query(WITHOUT_TIME_LIMITS);
  return true;
}
