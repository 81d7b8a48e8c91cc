import { basename } from 'node:path';
import type { MikroORM, Transaction } from '@mikro-orm/core';
import { MigrationRunner, Migrator, type Migration } from '@mikro-orm/migrations';
import type { EntityManager } from '@mikro-orm/sql';
import { LOCK_WAIT_MS } from './lock-timeout-retry.js';
import { migrationFiles } from './migration-files.js';

/**
 * Lets no migration wait for a lock for long: it fails then, with nothing done. What runs outside of a transaction may wait:
 * `create index concurrently` keeps nobody from anything while it does.
 */
class ImpatientRunner extends MigrationRunner {
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

/** MikroORM's own knows one folder, and waits for locks without a bound. */
class FoldersMigrator extends Migrator {
  constructor(
    em: EntityManager,
    private readonly folders: readonly string[],
  ) {
    super(em);
  }

  protected override createRunner(): MigrationRunner {
    return new ImpatientRunner(this.driver, this.options, this.config);
  }

  protected override discoverMigrations(): ReturnType<Migrator['discoverMigrations']> {
    const files = migrationFiles(this.folders);
    return Promise.resolve(files.map((path) => this.resolve({ name: basename(path), path })));
  }
}

/**
 * The extension of MikroORM that runs migrations.
 *
 * @param folders with migrations beside those of the libraries
 */
export function migratorOf(folders: readonly string[] = []): { name: string; register(orm: MikroORM): void } {
  return {
    // By which `MikroORM.init` knows that it need not look for the one of the package.
    name: Migrator.name,
    // Its entity manager is there when the migrator is asked for, and not yet here.
    register: (orm) => {
      orm.config.registerExtension('@mikro-orm/migrator', () => new FoldersMigrator(orm.em as EntityManager, folders));
    },
  };
}
