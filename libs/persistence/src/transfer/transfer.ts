import { resolve } from 'node:path';
import { FolderInUseError } from '../embedded/folder-lock.js';
import { requestSnapshot } from '../embedded/request-snapshot.js';
import { exportDatabase, type Write } from './export-database.js';
import type { Progress, TransferSummary } from './export-format.js';
import { readExport } from './export-reader.js';
import { importDatabase } from './import-database.js';
import {
  openEmbedded,
  openServer,
  refuseMissing,
  type TransferDatabase,
  type TransferPlace,
} from './transfer-database.js';
import { BrokenExportError } from './transfer.errors.js';

/** The result of an export. */
export interface ExportSummary extends TransferSummary {
  /** How long a server that has the embedded database open ran no statements, in milliseconds. */
  readonly pausedMs?: number;
}

/**
 * Writes the export of a database. The service may use the database meanwhile.
 *
 * @throws NoDatabaseError, FolderInUseError, SnapshotError
 */
export async function exportData(place: TransferPlace, write: Write, progress: Progress): Promise<ExportSummary> {
  const exported = ({ session }: TransferDatabase) => exportDatabase(session, write, progress);
  if (place.url !== undefined) return await withDatabase(await openServer(place.url), exported);
  const folder = resolve(place.dataDir);
  refuseMissing(folder);
  const opened = await openUnlessInUse(folder);
  if (opened !== undefined) return await withDatabase(opened, exported);
  const snapshot = await requestSnapshot(folder);
  try {
    const summary = await withDatabase(await openEmbedded(snapshot.folder), exported);
    return { ...summary, pausedMs: snapshot.milliseconds };
  } finally {
    await snapshot.release();
  }
}

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

/** Reads a whole export without a database, to check it. @throws BrokenExportError */
export async function checkExport(bytes: AsyncIterable<Uint8Array>, progress: Progress): Promise<TransferSummary> {
  let summary: TransferSummary | undefined;
  let table = '';
  for await (const part of readExport(bytes)) {
    if ('header' in part) summary = { header: part.header, rows: 0 };
    else if ('table' in part) table = part.table.name;
    else if ('rows' in part && summary !== undefined) {
      summary = { ...summary, rows: summary.rows + part.rows.length };
      progress(summary.rows, table);
    }
  }
  if (summary === undefined) throw new BrokenExportError('it is empty');
  return summary;
}

async function openUnlessInUse(folder: string): Promise<TransferDatabase | undefined> {
  try {
    return await openEmbedded(folder);
  } catch (error) {
    if (error instanceof FolderInUseError) return undefined;
    throw error;
  }
}

async function withDatabase<Result>(
  database: TransferDatabase,
  work: (database: TransferDatabase) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
