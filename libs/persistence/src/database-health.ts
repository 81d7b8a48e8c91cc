import { setTimeout as delay } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** The time limit of a check, and how long its result is used, both from its start, in ms. Probes usually wait 2 s or more. */
const CHECK_MS = 1_500;

/** Checks whether the database can serve this version of the service. */
@Injectable()
export class DatabaseHealth implements OnModuleDestroy {
  /** What held once is not checked again: executed migrations stay executed. */
  private isVerified = false;
  /** `performance.now()` at the start of the latest check. */
  private startedAt = -Infinity;
  private latest: Promise<void> = Promise.resolve();

  constructor(private readonly orm: MikroORM) {}

  /**
   * Rejects with the reason, within 1.5 s, if the database does not respond, is not encoded in UTF8, or lacks a migration.
   * Calls within this time share a check.
   */
  check(): Promise<void> {
    const now = performance.now();
    if (now - this.startedAt < CHECK_MS) return this.latest;
    this.startedAt = now;
    const tooLate = delay(CHECK_MS, undefined, { ref: false }).then(() => {
      throw new Error(`The database did not respond within ${CHECK_MS} ms`);
    });
    this.latest = Promise.race([this.checkNow(), tooLate]);
    return this.latest;
  }

  /** As {@link check}, but always asks the database and has no time limit; for commands. */
  async checkNow(): Promise<void> {
    const em = this.orm.em.fork() as SqlEntityManager;
    if (this.isVerified) await em.execute('select 1');
    else {
      await refuseOtherEncodings(em);
      await refusePendingMigrations(em, this.orm.migrator);
      this.isVerified = true;
    }
  }

  /** Resolves when no check is running: a pool that is closed during a check may never end. */
  async onModuleDestroy(): Promise<void> {
    await this.latest.catch(() => undefined);
  }
}

/** @throws Error if the database cannot hold every text, because it is not encoded in UTF8 */
export async function refuseOtherEncodings(em: SqlEntityManager): Promise<void> {
  const [row] = await em.execute<[{ encoding: string }]>("select current_setting('server_encoding') as encoding");
  if (row.encoding === 'UTF8') return;
  throw new Error(
    `The database is encoded in ${row.encoding} and not in UTF8, so it cannot hold every name. Make one and name it in DATABASE_URL: ` +
      "create database animal_store owner animal_store encoding 'UTF8' locale 'C.UTF-8' template template0",
  );
}

/** The database lacks migrations of this version. */
export class PendingMigrationsError extends Error {
  constructor(names: readonly string[]) {
    super(`Migrations are pending: ${names.join(', ')}. Run npm run db:migrate`);
  }
}

/** Changes nothing, not even on an empty database. @throws PendingMigrationsError */
async function refusePendingMigrations(em: SqlEntityManager, migrator: MikroORM['migrator']): Promise<void> {
  const [row] = await em.execute<[{ found: boolean }]>(
    `select to_regclass(quote_ident(current_schema()) || '.mikro_orm_migrations') is not null as found`,
  );
  // The migrator would create its table, so it is called only if the table exists.
  const pending = row.found ? (await migrator.getPending()).map(({ name }) => name) : ['all'];
  if (pending.length > 0) throw new PendingMigrationsError(pending);
}
