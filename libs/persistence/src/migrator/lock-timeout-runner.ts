import type { Transaction } from '@mikro-orm/core';
import { MigrationRunner, type Migration } from '@mikro-orm/migrations';
import { LOCK_WAIT_MS } from './lock-timeout.js';

/**
 * Limits how long a migration waits for a lock. After that it fails and is rolled back. Migrations outside of a transaction have
 * no limit: `create index concurrently` blocks nothing while it waits.
 */
export class LockTimeoutRunner extends MigrationRunner {
  override async run(
    migration: Migration,
    method: 'up' | 'down',
    afterRun?: (transaction?: Transaction) => Promise<void>,
  ): Promise<void> {
    if (!migration.isTransactional()) {
      await super.run(migration, method, afterRun);
      return;
    }
    await this.driver.getConnection().transactional(async (transaction) => {
      await this.driver.execute(`set local lock_timeout = ${LOCK_WAIT_MS}`, [], 'all', transaction);
      this.setMasterMigration(transaction);
      try {
        await super.run(migration, method, afterRun);
      } finally {
        this.unsetMasterMigration();
      }
    });
  }
}
