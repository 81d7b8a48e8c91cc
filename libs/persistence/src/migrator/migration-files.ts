import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The folder of the libraries, in the sources and in the build. */
const LIBRARIES = join(import.meta.dirname, '../../..');

/** The name of a migration begins with the time of its creation. Migrations run in the order of their names. */
const FILES = '[0-9]*.{js,ts}';

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
