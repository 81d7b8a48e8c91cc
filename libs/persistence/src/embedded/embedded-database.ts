import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createPostgreSqlTypeParsers } from '@mikro-orm/sql';
import type { OnApplicationShutdown } from '@nestjs/common';
import array from 'postgres-array';
import { BrokenDataError, DataFolderError } from './data-folder.errors.js';
import { FolderInUseError, FolderLock } from './folder-lock.js';
import { keepPrivate } from './private-folder.js';
import { Snapshots } from './snapshots.js';

/** PostgreSQL inside this process, with its files in a folder. It has one process and one connection, and needs no server. */
export class EmbeddedDatabase implements OnApplicationShutdown {
  private constructor(
    readonly pglite: PGlite,
    private readonly lock: FolderLock,
    private readonly snapshots: Snapshots,
  ) {}

  /**
   * Opens the database, and creates it if the folder is new.
   *
   * @throws FolderInUseError if another process uses the folder: two processes would destroy the data
   * @throws DataFolderError if no files can be written there
   * @throws BrokenDataError if the files cannot be read
   */
  static async open(folder: string): Promise<EmbeddedDatabase> {
    const path = resolve(folder);
    const lock = takeFolder(path);
    try {
      const parsers = createPostgreSqlTypeParsers((text) => array.parse(text));
      const pglite = await PGlite.create({ dataDir: join(path, 'postgres'), parsers });
      keepPrivate(path);
      const snapshots = new Snapshots(path, pglite);
      await snapshots.listen();
      return new EmbeddedDatabase(pglite, lock, snapshots);
    } catch (error) {
      lock.release();
      throw new BrokenDataError(path, error);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.snapshots.close();
    await this.pglite.close();
    this.lock.release();
  }
}

function takeFolder(path: string): FolderLock {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return FolderLock.acquire(path);
  } catch (error) {
    throw error instanceof FolderInUseError ? error : new DataFolderError(path, error);
  }
}
