import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What the service keeps in the folder of its data. */
const OWN_ENTRIES = ['postgres', 'lock', 'development-api-key', 'snapshots'];

/**
 * Takes from others what they may do in the folder of the data, however it was made: PostgreSQL demands that of a folder of its
 * own, and the embedded one makes files that everyone may write. The folder itself keeps its mode where it holds other things,
 * as `/tmp` does. Windows has no such modes.
 */
export function keepPrivate(folder: string): void {
  const database = join(folder, 'postgres');
  if (existsSync(database)) chmodSync(database, 0o700);
  if (readdirSync(folder).every((name) => OWN_ENTRIES.includes(name))) chmodSync(folder, 0o700);
}
