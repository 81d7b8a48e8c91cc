import type { Progress, TransferSummary } from './export-format.js';
import { readExport } from './export-reader.js';
import { importDatabase } from './import-database.js';
import { openEmbedded, openServer, type TransferPlace } from './transfer-database.js';
import { withDatabase } from './with-database.js';

/**
 * Imports an export into a database. An embedded database is created if needed, and the database is migrated.
 *
 * @param replace whether to remove existing rows
 * @throws BrokenExportError, ImportRefusedError, DatabaseInServiceError, FolderInUseError
 */
export async function importData(
  { url, dataDir, migrations }: TransferPlace,
  bytes: AsyncIterable<Uint8Array>,
  replace: boolean,
  progress: Progress,
): Promise<TransferSummary> {
  const database = url === undefined ? await openEmbedded(dataDir, migrations) : await openServer(url, migrations);
  return await withDatabase(database, async () => {
    await database.claim();
    return await importDatabase(database, readExport(bytes), replace, progress);
  });
}
