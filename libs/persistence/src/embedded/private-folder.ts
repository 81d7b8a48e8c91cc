import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The files and folders of the service in its data folder. */
const OWN_ENTRIES = ['postgres', 'lock', 'development-api-key', 'snapshots'];

/**
 * Removes the permissions of other users on the data folder. PostgreSQL requires that of its data folder, and the embedded
 * PostgreSQL creates files that everyone may write. The folder itself keeps its mode if it contains other files, such as `/tmp`.
 * Windows has no such modes.
 */
export function keepPrivate(folder: string): void {
  const database = join(folder, 'postgres');
  if (existsSync(database)) chmodSync(database, 0o700);
  if (readdirSync(folder).every((name) => OWN_ENTRIES.includes(name))) chmodSync(folder, 0o700);
}
