import type { MikroORM } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import type { EntityManager } from '@mikro-orm/sql';
import { FoldersMigrator } from './folders-migrator.js';

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
