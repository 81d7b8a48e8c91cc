import { basename } from 'node:path';
import { Migrator, type MigrationRunner } from '@mikro-orm/migrations';
import type { EntityManager } from '@mikro-orm/sql';
import { LockTimeoutRunner } from './lock-timeout-runner.js';
import { migrationFiles } from './migration-files.js';

/** Reads migrations from several folders and limits lock waits. MikroORM's migrator does neither. */
export class FoldersMigrator extends Migrator {
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
