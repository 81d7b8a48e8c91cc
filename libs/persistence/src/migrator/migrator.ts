import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Constructor, MikroORM } from '@mikro-orm/core';
import { type Migration, MigrationStorage, Migrator as MikroOrmMigrator } from '@mikro-orm/migrations';
import type { EntityManager } from '@mikro-orm/sql';

/** The folder of the libraries, in the sources and in the build. */
const LIBRARIES = join(import.meta.dirname, '../../..');

/** The name of a migration begins with the time of its creation. Migrations run in the order of their names. */
const FILES = '[0-9]*.{js,ts}';

/** How long a migration may wait for a lock, in milliseconds: less than the time limits of those that wait behind it. */
export const LOCK_WAIT_MS = 2_000;

type MigrationClass = Constructor<Omit<Migration, 'up'> & { up(): Promise<void> | void }>;

/** The files of the migrations in the folders `migrations` of all libraries and in `folders`, ordered by name. */
export function migrationFiles(folders: readonly string[], libraries = LIBRARIES): string[] {
  const find = (cwd: string, pattern: string) => globSync(pattern, { cwd }).map((path) => join(cwd, path));
  const found = new Set([
    ...find(libraries, `*/src/**/migrations/${FILES}`),
    ...folders.flatMap((folder) => find(folder, FILES)),
  ]);
  const files = [...found].sort((one, other) => (basename(one) < basename(other) ? -1 : 1));
  const twice = files.find((file, index) => basename(file) === basename(files[index + 1] ?? ''));
  // The second would never run: the database knows migrations by their names.
  if (twice !== undefined) throw new Error(`Two migrations have the name ${basename(twice)}: rename one`);
  return files;
}

/** The option `migrations` of MikroORM. @param folders absolute paths of folders beside those of the libraries */
export async function migrationsOf(folders: readonly string[] = []) {
  const load = async (path: string) => {
    const exported = Object.values((await import(pathToFileURL(path).href)) as object) as unknown[];
    const migration = exported.find((value) => typeof value === 'function') as MigrationClass;
    return { name: basename(path), class: withLockTimeout(migration) };
  };
  return {
    migrationsList: await Promise.all(migrationFiles(folders).map(load)),
    // Each migration has its own transaction: some statements, such as `create index concurrently`, need to be alone.
    allOrNothing: false,
    snapshot: false,
    silent: true,
  };
}

/** Limits waits for locks, but only in a transaction: `create index concurrently` blocks nothing while it waits. */
function withLockTimeout(migration: MigrationClass): MigrationClass {
  return class extends migration {
    override async up(): Promise<void> {
      if (this.isTransactional()) await this.execute(`set local lock_timeout = ${LOCK_WAIT_MS}`);
      await super.up();
    }
  };
}

/** Works in the current schema. MikroORM's does not, and is loaded unless an extension has its name. */
export class Migrator extends MikroOrmMigrator {
  static override register(orm: MikroORM): void {
    // The entity manager does not exist yet, but it does when the migrator is used.
    orm.config.registerExtension('@mikro-orm/migrator', () => new Migrator(orm.em as EntityManager));
  }

  protected override createStorage(): MigrationStorage {
    return new CurrentSchemaStorage(this.driver, this.options);
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
