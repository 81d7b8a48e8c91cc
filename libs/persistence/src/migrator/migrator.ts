import { basename } from 'node:path';
import type { MikroORM, Transaction } from '@mikro-orm/core';
import { MigrationRunner, MigrationStorage, Migrator, type Migration } from '@mikro-orm/migrations';
import type { EntityManager } from '@mikro-orm/sql';
import { migrationFiles } from './migration-files.js';

/** How long a migration may wait for a lock, in milliseconds: less than the time limits of those that wait behind it. */
export const LOCK_WAIT_MS = 2_000;

/** The extension of MikroORM that runs migrations. @param folders folders with migrations beside those of the libraries */
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

/** Reads migrations from several folders, limits lock waits, and works in the current schema: MikroORM's does none of it. */
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

  protected override createStorage(): MigrationStorage {
    return new CurrentSchemaStorage(this.driver, this.options);
  }

  protected override discoverMigrations(): ReturnType<Migrator['discoverMigrations']> {
    const files = migrationFiles(this.folders);
    return Promise.resolve(files.map((path) => this.resolve({ name: basename(path), path })));
  }
}

/** Keeps the table of the executed migrations in the schema of the role. MikroORM would look for it in `public`. */
class CurrentSchemaStorage extends MigrationStorage {
  private schema: string | undefined;

  override async ensureTable(): Promise<void> {
    // Asked once, and not inside of a migration, which has the only free connection.
    this.schema ??= (await this.driver.execute<{ name: string }[]>('select current_schema() as name'))[0]?.name;
    this.setRunSchema(this.schema);
    await super.ensureTable();
  }
}

/** Limits waits for locks. Outside of a transaction there is no limit: `create index concurrently` blocks nothing while it waits. */
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
      await super.run(migration, method, afterRun).finally(() => {
        this.unsetMasterMigration();
      });
    });
  }
}
