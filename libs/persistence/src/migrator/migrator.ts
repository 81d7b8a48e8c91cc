import { basename } from 'node:path';
import type { MikroORM, Transaction } from '@mikro-orm/core';
import { MigrationRunner, Migrator, type Migration } from '@mikro-orm/migrations';
import type { EntityManager, SqlEntityManager } from '@mikro-orm/sql';
import { migrationFiles } from './migration-files.js';

/**
 * How long a migration may wait for a lock, in milliseconds. Other transactions that need the table wait behind it, so it is less
 * than their own time limits.
 */
export const LOCK_WAIT_MS = 2_000;

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

/** The database does not have the schema of this version. */
export class PendingMigrationsError extends Error {
  constructor(names: readonly string[]) {
    super(`Migrations are pending: ${names.join(', ')}. Run npm run db:migrate`);
  }
}

/** The names of the migrations that the database lacks. Changes nothing, not even on an empty database. */
export async function pendingMigrations(orm: MikroORM): Promise<string[]> {
  const em = orm.em.fork() as SqlEntityManager;
  const [row] = await em.execute<{ found: boolean }[]>(
    `select to_regclass('mikro_orm_migrations') is not null as found`,
  );
  // The migrator would create its table, so it is called only if the table exists.
  if (row?.found !== true) return ['all'];
  return (await orm.migrator.getPending()).map(({ name }) => name);
}
