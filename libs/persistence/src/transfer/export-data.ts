import { resolve } from 'node:path';
import { FolderInUseError } from '../embedded/folder-lock.js';
import { requestSnapshot } from '../embedded/request-snapshot.js';
import { exportDatabase, type Write } from './export-database.js';
import type { Progress, TransferSummary } from './export-format.js';
import {
  openEmbedded,
  openServer,
  refuseMissing,
  type TransferDatabase,
  type TransferPlace,
} from './transfer-database.js';
import { withDatabase } from './with-database.js';

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

async function openUnlessInUse(folder: string): Promise<TransferDatabase | undefined> {
  try {
    return await openEmbedded(folder);
  } catch (error) {
    if (error instanceof FolderInUseError) return undefined;
    throw error;
  }
}
