import { globSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The folder of the libraries, in the sources and in the build. */
const LIBRARIES = join(import.meta.dirname, '../../..');

/** The name of a migration begins with the time of its creation. Migrations run in the order of their names. */
const FILES = '[0-9]*.{js,ts}';

/**
 * The files of the migrations in the folders `migrations` of all libraries and in `folders`, ordered by name.
 *
 * @throws Error if two have the same name: the second one would never run
 */
export function migrationFiles(folders: readonly string[], libraries = LIBRARIES): string[] {
  const places = [
    { cwd: libraries, pattern: `*/src/**/migrations/${FILES}` },
    ...folders.map((cwd) => ({ cwd, pattern: FILES })),
  ];
  const files = new Set(
    places.flatMap(({ cwd, pattern }) => globSync(pattern, { cwd }).map((path) => join(cwd, path))),
  );
  const sorted = [...files].sort((one, other) => (basename(one) < basename(other) ? -1 : 1));
  const twice = sorted.findIndex((path, index) => index > 0 && basename(path) === basename(sorted[index - 1] ?? ''));
  if (twice > 0)
    throw new Error(`Two migrations have one name: ${String(sorted[twice - 1])} and ${String(sorted[twice])}`);
  return sorted;
}
