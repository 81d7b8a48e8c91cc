import { MikroORM } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sql';
import { Injectable } from '@nestjs/common';
import { pendingMigrations } from './migrate.js';

/** Tells whether the database can serve this version of the service. */
@Injectable()
export class DatabaseHealth {
  /** Migrations only ever get done, so once none was pending none is. */
  private migrated = false;

  constructor(private readonly orm: MikroORM) {}

  /** Resolves when the database answers and no migration is pending; rejects with the reason otherwise. */
  async check(): Promise<void> {
    if (this.migrated) {
      await (this.orm.em.fork() as SqlEntityManager).execute('select 1');
      return;
    }
    const pending = await pendingMigrations(this.orm);
    if (pending.length > 0) throw new Error(`Migrations are pending: ${pending.join(', ')}. Run npm run db:migrate`);
    this.migrated = true;
  }
}
