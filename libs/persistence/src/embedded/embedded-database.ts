import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PGlite } from '@electric-sql/pglite';
import { createPostgreSqlTypeParsers } from '@mikro-orm/sql';
import type { OnApplicationShutdown } from '@nestjs/common';
import array from 'postgres-array';
import { rootCauseMessage } from '../errors/database-errors.js';

/** Another process uses the folder of the embedded database: two processes would destroy the data. */
export class FolderInUseError extends Error {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';

  constructor(folder: string) {
    super(
      `The folder ${folder} is in use by another process. Stop that process, or choose another folder with DATA_DIR.`,
    );
  }
}

/** The folder cannot be used for the embedded database: no files can be written there, or its files are damaged. */
export class DataFolderError extends Error {
  readonly kind = 'unprocessable';

  constructor(folder: string, cause: unknown) {
    super(
      `The folder ${folder} cannot hold the embedded database: ${rootCauseMessage(cause)}. ` +
        'Choose another with DATA_DIR, let it be written to, or move its files away',
      { cause },
    );
  }
}

/** PostgreSQL inside this process, with its files in a folder. It has one process and one connection, and needs no server. */
export class EmbeddedDatabase implements OnApplicationShutdown {
  private constructor(
    readonly pglite: PGlite,
    private readonly lock: DatabaseSync,
  ) {}

  /**
   * Opens the database, and creates it if the folder is new.
   *
   * @throws FolderInUseError, DataFolderError
   */
  static async open(folder: string): Promise<EmbeddedDatabase> {
    const path = resolve(folder);
    const lock = lockFolder(path);
    try {
      const parsers = createPostgreSqlTypeParsers((text) => array.parse(text));
      const dataDir = join(path, 'postgres');
      const pglite = await PGlite.create({ dataDir, parsers });
      // PostgreSQL requires it of its folder, and the embedded one creates files that everyone may write.
      chmodSync(dataDir, 0o700);
      return new EmbeddedDatabase(pglite, lock);
    } catch (error) {
      lock.close();
      throw new DataFolderError(path, error);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pglite.close();
    this.lock.close();
  }
}

const SQLITE_BUSY = 5;

/**
 * Creates the folder if it does not exist, for this user alone, and locks it until the result is closed. Node has no file locks,
 * but its SQLite module uses those of the operating system. Such a lock ends with its process, even after `kill -9`.
 */
function lockFolder(path: string): DatabaseSync {
  let file: DatabaseSync | undefined;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    file = new DatabaseSync(join(path, 'lock'), { timeout: 0 });
    file.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return file;
  } catch (error) {
    file?.close();
    const isInUse = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    throw isInUse ? new FolderInUseError(path) : new DataFolderError(path, error);
  }
}
