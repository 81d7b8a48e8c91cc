import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { copyData } from '../embedded/copy-data.js';
import { flush, flushFolder } from '../embedded/flush.js';
import { FolderInUseError, FolderLock } from '../embedded/folder-lock.js';
import { requestSnapshot } from '../embedded/request-snapshot.js';
import { tablesOf } from './catalogue.js';
import { nameOf, sqlName } from './named.js';
import { openEmbedded, refuseMissing } from './transfer-database.js';
import { ImportRefusedError } from './transfer.errors.js';

/** The contents of a copy. */
export interface CopySummary {
  readonly tables: readonly { readonly name: string; readonly rows: bigint }[];
  /** How long a server that has the database open ran no statements, in milliseconds. */
  readonly pausedMs?: number | undefined;
}

/**
 * Copies the folder of an embedded database into another folder, which `DATA_DIR` can then name. A server may have the database
 * open. The new folder exists only if the copy could be opened and is written to disk.
 *
 * @throws NoDatabaseError, FolderInUseError, SnapshotError
 */
export async function copyEmbedded(dataDir: string, destination: string): Promise<CopySummary> {
  const [from, to] = [resolve(dataDir), resolve(destination)];
  refuseMissing(from);
  if (existsSync(to)) throw new ImportRefusedError(`${to} is there already. Name a folder that does not exist yet.`);
  const partial = `${to}.partial-${process.pid}`;
  try {
    const pausedMs = await copyFiles(from, partial);
    const tables = await opened(partial);
    await flushFolder(partial);
    await rename(partial, to);
    await flush(dirname(to));
    return { tables, pausedMs };
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/** @returns how long a server ran no statements; `undefined` without a server */
async function copyFiles(from: string, to: string): Promise<number | undefined> {
  const lock = lockUnlessInUse(from);
  if (lock !== undefined) {
    try {
      await copyData(from, to);
      return undefined;
    } finally {
      lock.release();
    }
  }
  const snapshot = await requestSnapshot(from);
  try {
    await copyData(snapshot.folder, to);
    return snapshot.milliseconds;
  } finally {
    await snapshot.release();
  }
}

function lockUnlessInUse(folder: string): FolderLock | undefined {
  try {
    return FolderLock.acquire(folder);
  } catch (error) {
    if (error instanceof FolderInUseError) return undefined;
    throw error;
  }
}

/** Opens the copy as a server does, which rolls back open transactions, and reads every table. */
async function opened(folder: string): Promise<CopySummary['tables']> {
  const database = await openEmbedded(folder);
  try {
    const { session } = database;
    const tables: { name: string; rows: bigint }[] = [];
    for (const table of await tablesOf(session)) {
      const [row] = await session.query(`select count(*)::text from ${sqlName(table)}`);
      tables.push({ name: nameOf(table), rows: BigInt(row?.[0] ?? 0) });
    }
    return tables;
  } finally {
    await database.close();
  }
}
