import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process works in the folder. */
export class FolderInUseError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor(folder: string) {
    super(
      `The folder ${folder} is in use by another process. Stop that process, or choose another folder with DATA_DIR.`,
    );
  }
}

/**
 * Keeps other processes out of a folder.
 *
 * Node has no file locks, but the SQLite that comes with it takes them from the operating system. Such a lock
 * ends with its process, even by `kill -9`: no stale lock has to be told from a live one.
 */
export class FolderLock {
  private constructor(private readonly file: DatabaseSync) {}

  /** @throws FolderInUseError at once when another process, or this one, holds the lock */
  static acquire(folder: string): FolderLock {
    const file = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
    try {
      file.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    } catch (error) {
      file.close();
      throw isBusy(error) ? new FolderInUseError(folder) : error;
    }
    return new FolderLock(file);
  }

  release(): void {
    this.file.close();
  }
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
