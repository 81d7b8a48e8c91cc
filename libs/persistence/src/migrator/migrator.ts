import { basename } from 'node:path';
import type { MikroORM, Transaction } from '@mikro-orm/core';
import { MigrationRunner, Migrator, type Migration } from '@mikro-orm/migrations';
import type { EntityManager } from '@mikro-orm/sql';
import { LOCK_WAIT_MS } from './lock-timeout.js';
import { migrationFiles } from './migration-files.js';

/**
 * The extension of MikroORM that runs migrations.
 *
 * @param folders folders with migrations, in addition to those of the libraries
 */
export function migratorOf(folders: readonly string[] = []): { name: string; register(orm: MikroORM): void } {
  return {
    // By this name `MikroORM.init` recognizes a migrator, and does not load that of the package.
    name: Migrator.name,
    // The entity manager does not exist yet at the registration, but it does when the migrator is used.
    register: (orm) => {
      orm.config.registerExtension('@mikro-orm/migrator', () => new FoldersMigrator(orm.em as EntityManager, folders));
    },
  };
}

/** Reads migrations from several folders and limits lock waits. MikroORM's migrator does neither. */
class FoldersMigrator extends Migrator {
  constructor(
    em: EntityManager,
    private readonly folders: readonly string[],
  ) {
    super(em);
  }

  protected override createRunner(): MigrationRunner {
    return new LockTimeoutRunner(this.driver, this.options, this.config);
  }

  protected override discoverMigrations(): ReturnType<Migrator['discoverMigrations']> {
    const files = migrationFiles(this.folders);
    return Promise.resolve(files.map((path) => this.resolve({ name: basename(path), path })));
  }
}

/**
 * Limits how long a migration waits for a lock. After that it fails and is rolled back. Migrations outside of a transaction have
 * no limit: `create index concurrently` blocks nothing while it waits.
 */
class LockTimeoutRunner extends MigrationRunner {
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
