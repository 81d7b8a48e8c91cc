import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createPostgreSqlTypeParsers } from '@mikro-orm/sql';
import type { OnApplicationShutdown } from '@nestjs/common';
import array from 'postgres-array';
import { rootCauseMessage } from '../errors/database-errors.js';
import { loadExtensions } from './extensions.js';
import { FolderInUseError, FolderLock } from './folder-lock.js';

/** How often the folder is looked for while the database runs, in milliseconds. */
const LOOK_MS = 1_000;

/** The folder cannot be used for the embedded database. */
export class DataFolderError extends Error {
  constructor(folder: string, cause: unknown) {
    super(
      `The folder ${folder} cannot hold the embedded database: ${rootCauseMessage(cause)}. Choose another with DATA_DIR, or let it be written to.`,
      { cause },
    );
  }
}

/** The files in the folder of the embedded database are damaged, or are no database. */
export class BrokenDataError extends Error {
  readonly kind = 'unprocessable';

  constructor(folder: string, cause: unknown) {
    super(
      `The embedded database in ${folder} cannot be opened: its files are damaged, or another version made them (${rootCauseMessage(cause)}). ` +
        'Move the folder away to begin with an empty one, or choose another with DATA_DIR.',
      { cause },
    );
  }
}

/** PostgreSQL inside this process, with its files in a folder. It has one process and one connection, and needs no server. */
export class EmbeddedDatabase implements OnApplicationShutdown {
  private readonly look: NodeJS.Timeout;

  private constructor(
    readonly pglite: PGlite,
    private readonly lock: FolderLock,
    path: string,
    onGone: (sentence: string) => void,
  ) {
    this.look = setInterval(() => {
      if (existsSync(join(path, 'postgres'))) return;
      clearInterval(this.look);
      onGone(`The folder ${path} of the embedded database is gone, and its data with it. Start again for a new one.`);
    }, LOOK_MS).unref();
  }

  /**
   * Opens the database, and creates it if the folder is new.
   *
   * @param extensions the names of the extensions of PostgreSQL that it shall have
   * @param onGone called with the reason if the folder is removed while the database runs: nothing is stored from then on
   * @throws NoExtensionError
   * @throws FolderInUseError if another process uses the folder: two processes would destroy the data
   * @throws DataFolderError if no files can be written there
   * @throws BrokenDataError if the files cannot be read
   */
  static async open(
    folder: string,
    extensions: readonly string[] = [],
    onGone: (sentence: string) => void = exit,
  ): Promise<EmbeddedDatabase> {
    const path = resolve(folder);
    const loaded = await loadExtensions(extensions);
    const lock = lockDataFolder(path);
    try {
      const parsers = createPostgreSqlTypeParsers((text) => array.parse(text));
      const pglite = await PGlite.create({ dataDir: join(path, 'postgres'), parsers, extensions: loaded });
      keepPrivate(path);
      return new EmbeddedDatabase(pglite, lock, path, onGone);
    } catch (error) {
      lock.release();
      throw new BrokenDataError(path, error);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.look);
    await this.pglite.close();
    this.lock.release();
  }
}

/** Without its files the database cannot be closed in an orderly way. */
function exit(sentence: string): void {
  console.error(sentence);
  process.exit(1);
}

/**
 * Creates the folder if it does not exist, for this user alone, and locks it.
 *
 * @param path an absolute path
 * @throws FolderInUseError, DataFolderError
 */
function lockDataFolder(path: string): FolderLock {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return FolderLock.acquire(path);
  } catch (error) {
    throw error instanceof FolderInUseError ? error : new DataFolderError(path, error);
  }
}

/** The files and folders of the service in its data folder. */
const OWN_ENTRIES = ['postgres', 'lock', 'development-api-key'];

/**
 * Removes the permissions of other users on the data folder. PostgreSQL requires that of its data folder, and the embedded
 * PostgreSQL creates files that everyone may write. The folder itself keeps its mode if it contains other files, such as `/tmp`.
 * Windows has no such modes.
 */
function keepPrivate(folder: string): void {
  chmodSync(join(folder, 'postgres'), 0o700);
  if (readdirSync(folder).every((name) => OWN_ENTRIES.includes(name))) chmodSync(folder, 0o700);
}
