import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { pgDump } from '@electric-sql/pglite-tools/pg_dump';
import { extensionsIn, loadExtensions } from './extensions.js';
import { rootCauseMessage } from '../errors/database-errors.js';
import { EmbeddedDatabase, lockDataFolder } from './embedded-database.js';

/** There is no database to dump. */
export class NoDatabaseError extends Error {
  readonly kind = 'not_found';

  constructor(folder: string) {
    super(`There is no embedded database in the folder ${folder}. DATA_DIR says where it is.`);
  }
}

/** The dump cannot be restored there. Nothing was restored. */
export class RestoreRefusedError extends Error {
  readonly kind = 'conflict';
}

/**
 * Without the names of owners and without grants: they belong to the server. Rows are written as `INSERT`, many at a time; such a
 * dump is restored with less memory than one with a statement for each row.
 */
const ARGUMENTS = ['--no-owner', '--no-privileges', '--rows-per-insert=1000'];

/** A setting that servers before PostgreSQL 17 do not know. In a session that restores a dump it has no effect. */
const UNKNOWN_BEFORE_17 = 'SET transaction_timeout = 0;\n';

/** The last lines of a dump, and a command to psql that `pg_dump` of a server may add. */
const END = /^-- PostgreSQL database dump complete\n--\s*(?:\\unrestrict \w+\s*)?$/m;

/** The lines before the first statement of a dump, if they contain a command to psql. */
const PSQL_PREAMBLE = /^(?:(?:--.*)?\n)*\\restrict \w+\n/;

/**
 * A plain SQL dump of an embedded database, which `psql` restores into an empty database on a server of PostgreSQL 15 or later.
 * It holds all tables, rows and sequences.
 *
 * @throws NoDatabaseError, FolderInUseError
 */
export async function dumpEmbedded(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  // Opening a database that does not exist would create it.
  if (!existsSync(join(folder, 'postgres', 'PG_VERSION'))) throw new NoDatabaseError(folder);
  const database = await openWithExtensions(folder);
  try {
    // pgDump deletes each line of its output that begins with `\restrict`, even inside a string. So a name of two lines would
    // lose the second one and the end of its string, and what follows would be run as SQL. With this setting, pg_dump writes
    // each backslash twice.
    await database.pglite.exec('set standard_conforming_strings = off');
    const file = await pgDump({ pg: database.pglite, args: [...ARGUMENTS] });
    return (await file.text()).replace(UNKNOWN_BEFORE_17, '');
  } finally {
    await database.onApplicationShutdown();
  }
}

/** Opens the database with the extensions that were created in it: `pg_dump` may need them. */
async function openWithExtensions(folder: string): Promise<EmbeddedDatabase> {
  const database = await EmbeddedDatabase.open(folder);
  const { rows } = await database.pglite.query<{ name: string }>(
    `select extname as name from pg_extension where extname <> 'plpgsql'`,
  );
  if (rows.length === 0) return database;
  await database.onApplicationShutdown();
  return await EmbeddedDatabase.open(
    folder,
    rows.map(({ name }) => name),
  );
}

/**
 * Restores a dump into a new embedded database. It exists only when all of the dump is restored.
 *
 * @param dump of {@link dumpEmbedded}, or of `pg_dump --inserts`
 * @throws RestoreRefusedError if the dump is cut off, if its SQL fails, or if the folder holds a database
 * @throws FolderInUseError, DataFolderError, NoExtensionError
 */
export async function restoreEmbedded(dataDir: string, dump: string): Promise<void> {
  if (!END.test(dump.slice(-200))) throw new RestoreRefusedError('It is not a whole dump: its end is missing.');
  const folder = resolve(dataDir);
  const lock = lockDataFolder(folder);
  const files = join(folder, 'postgres');
  const partial = `${files}.partial`;
  try {
    if (existsSync(files))
      throw new RestoreRefusedError(
        `The folder ${folder} holds a database. Move the folder away, or restore into another folder with DATA_DIR.`,
      );
    // Files of a process that was killed.
    await rm(partial, { recursive: true, force: true });
    // PGlite would create it for everyone.
    await mkdir(partial, { mode: 0o700 });
    await execute(partial, dump);
    await rename(partial, files);
  } finally {
    await rm(partial, { recursive: true, force: true });
    lock.release();
  }
}

/** Creates a database in the folder and executes the dump in one transaction. */
async function execute(folder: string, dump: string): Promise<void> {
  const created = dump.match(/^CREATE EXTENSION .*;$/gm) ?? [];
  const pglite = await PGlite.create(folder, { extensions: await loadExtensions(extensionsIn(created.join('\n'))) });
  try {
    await pglite.transaction(async (transaction) => {
      // The whole text is parsed before any of it is executed, so the dump's own statement would be too late.
      const strings = /^SET standard_conforming_strings = (?:on|off);$/m.exec(dump)?.[0];
      await transaction.exec(strings ?? '');
      await transaction.exec(dump.replace(PSQL_PREAMBLE, '').replace(/\\unrestrict \w+\s*$/, ''));
    });
  } catch (error) {
    // Without the cause: a missing table would look like a database that is away.
    throw new RestoreRefusedError(
      `Nothing was restored, because the SQL of the dump failed: ${rootCauseMessage(error)}. ` +
        'A dump of a server must be made with pg_dump --inserts.',
    );
  } finally {
    await pglite.close();
  }
}
