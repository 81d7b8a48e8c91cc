import { chmodSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PGlite } from '@electric-sql/pglite';
import { createPostgreSqlTypeParsers } from '@mikro-orm/sql';
import type { OnApplicationShutdown } from '@nestjs/common';
import { rootCauseMessage } from '@animal-store/kernel';
import array from 'postgres-array';

const SQLITE_BUSY = 5;

/** The folder cannot be used: another process uses it, no files can be written there, or its files are damaged. */
export class DataDirError extends Error {
  readonly kind = 'unprocessable';

  constructor(folder: string, cause: unknown) {
    const isInUse = cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY;
    super(
      isInUse
        ? `The folder ${folder} is in use by another process. Stop that process, or choose another folder with DATA_DIR.`
        : `The folder ${folder} cannot hold the embedded database: ${rootCauseMessage(cause)}. ` +
            'Choose another with DATA_DIR, let it be written to, or move its files away',
      isInUse ? {} : { cause },
    );
  }
}

/**
 * PostgreSQL inside this process, with its files in a folder. It has one connection: inside a transaction, a call that does not
 * take part in it, as by a fork of the entity manager, waits for itself for ever.
 */
export class EmbeddedDatabase implements OnApplicationShutdown {
  private constructor(
    readonly pglite: PGlite,
    private readonly lock: DatabaseSync,
  ) {}

  /**
   * Opens or creates the database, for this user alone, and locks its folder, because two processes would destroy the data.
   * Node has no file locks, so SQLite takes one from the operating system, which ends with the process, even after `kill -9`.
   *
   * @throws DataDirError
   */
  static async open(folder: string): Promise<EmbeddedDatabase> {
    const path = resolve(folder);
    let lock: DatabaseSync | undefined;
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      lock = new DatabaseSync(join(path, 'lock'), { timeout: 0 });
      lock.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
      const parsers = createPostgreSqlTypeParsers((text) => array.parse(text));
      const dataDir = join(path, 'postgres');
      const pglite = await PGlite.create({ dataDir, parsers });
      // PostgreSQL requires it of its folder, and the embedded one creates files that everyone may write.
      chmodSync(dataDir, 0o700);
      return new EmbeddedDatabase(pglite, lock);
    } catch (error) {
      lock?.close();
      throw new DataDirError(path, error);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pglite.close();
    this.lock.close();
  }
}
