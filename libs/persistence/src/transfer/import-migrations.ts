import { ImportRefusedError } from './transfer.errors.js';

/**
 * Checks whether data can be imported into a database, by the names of the migrations of the data, of the database and of this
 * program.
 *
 * @returns the migrations that must run before the import, in order
 * @throws ImportRefusedError if the data is older than the database or newer than this program
 */
export function checkMigrations(
  ofData: readonly string[],
  ofDatabase: readonly string[],
  available: readonly string[],
): string[] {
  const beyond = ofDatabase.filter((name) => !ofData.includes(name));
  if (beyond.length > 0)
    throw new ImportRefusedError(
      `The data is older than the database, which has been through ${beyond.join(', ')} since. ` +
        'Import it into a database without any table: the import migrates that, and then the data.',
    );
  const missing = ofData.filter((name) => !ofDatabase.includes(name));
  const unknown = missing.filter((name) => !available.includes(name));
  if (unknown.length > 0)
    throw new ImportRefusedError(
      `The data is newer than this program, which does not know ${unknown.join(', ')}. Import it by the version that exported it, or a later one.`,
    );
  return missing;
}
