import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process uses the folder. */
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
 * A lock that only one process can hold for a folder.
 *
 * Node has no file locks, but its SQLite module uses those of the operating system. Such a lock ends with its process, even after
 * `kill -9`, so there are no stale locks.
 */
export class FolderLock {
  private constructor(private readonly file: DatabaseSync) {}

  /** @throws FolderInUseError at once if another process, or this process, holds the lock */
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
