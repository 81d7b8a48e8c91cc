import { existsSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { dumpEmbedded, flush, restoreEmbedded } from '@animal-store/persistence/embedded';
import { InvalidEnvironmentError } from '@animal-store/settings';
import type { Environment } from '../environment.js';
import { EXIT_CODES } from './exit-codes.js';

/** Stands for the standard output or the standard input. */
const STANDARD_STREAM = '-';

/** The dependencies of the program. */
export interface DatabaseHost {
  /** Called when the arguments are valid. */
  readonly environment: () => Environment;
  /** Writes a message for the user; a dump is the only output on standard output. */
  readonly tell: (sentence: string) => void;
}

/** A file of that name already exists. */
class FileExistsError extends Error {
  readonly kind = 'conflict';

  constructor(path: string) {
    super(`${path} already exists. Choose another file.`);
  }
}

/** The reader of the standard output ended too early. */
class ClosedOutputError extends Error {
  readonly kind = 'conflict';

  constructor() {
    super('Standard output was closed before the whole dump was written.');
  }
}

/** The program that dumps and restores the embedded database. Invalid arguments are reported, and thrown as a CommanderError. */
export function databaseProgram({ environment, tell }: DatabaseHost): Command {
  /** @throws InvalidEnvironmentError where the settings name a server */
  const dataFolder = (instead: string): string => {
    const { DATABASE_URL: url, DATA_DIR: folder } = environment();
    if (url === undefined) return folder;
    throw new InvalidEnvironmentError([
      `DATABASE_URL must not be set: for a server, use ${instead} (docs/operations.md)`,
    ]);
  };

  const program = new Command('db')
    .description('Dumps and restores the embedded database in DATA_DIR. For a server, use pg_dump and psql.')
    .exitOverride()
    .showHelpAfterError('See --help.');

  program
    .command('dump')
    .summary('writes the embedded database to a file, as plain SQL')
    .description(
      'Writes the embedded database in DATA_DIR as plain SQL. Restore the file with psql into an empty database on a ' +
        'server, or with npm run db:restore into a new embedded database. Stop the service first. The file contains the ' +
        'hashes of the API keys and the secret that signs cursors: protect it as you protect the database.',
    )
    .requiredOption('-o, --output <file>', `a new file, or ${STANDARD_STREAM} for standard output`)
    .addHelpText('after', `\nExample:\n  npm run db:dump -- --output animal-store.sql\n\n${EXIT_CODES}`)
    .action(async ({ output }: { output: string }) => {
      const folder = dataFolder('pg_dump');
      if (output !== STANDARD_STREAM && existsSync(output)) throw new FileExistsError(output);
      const dump = await dumpEmbedded(folder);
      if (output === STANDARD_STREAM)
        await pipeline([dump], process.stdout).catch(() => {
          throw new ClosedOutputError();
        });
      else await writeNewFile(output, dump);
      tell(`Dumped the embedded database in ${folder}${output === STANDARD_STREAM ? '' : ` to ${output}`}`);
    });

  program
    .command('restore')
    .summary('creates a new embedded database from a dump')
    .description(
      'Restores a dump into a new embedded database in DATA_DIR: all of it, or nothing. The dump comes from npm run ' +
        'db:dump, or from pg_dump --inserts --no-owner --no-privileges. Its SQL is executed: restore only what you trust.',
    )
    .argument('<file>', `the dump, or ${STANDARD_STREAM} for standard input`)
    .addHelpText(
      'after',
      `\nExample:\n  DATA_DIR=.data-restored npm run db:restore -- animal-store.sql\n\n${EXIT_CODES}`,
    )
    .action(async (file: string) => {
      const folder = dataFolder('psql');
      const dump = file === STANDARD_STREAM ? await text(process.stdin) : await readFile(file, 'utf8');
      await restoreEmbedded(folder, dump);
      tell(`Restored ${file === STANDARD_STREAM ? 'the dump' : file} into ${folder}`);
    });

  return program;
}

/** Writes a file that only its owner may read. It gets its name when all of it is on the disk. */
async function writeNewFile(path: string, content: string): Promise<void> {
  const partial = `${path}.partial-${process.pid}`;
  try {
    const file = await open(partial, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    if (existsSync(path)) throw new FileExistsError(path);
    await rename(partial, path);
    await flush(dirname(path));
  } finally {
    await rm(partial, { force: true });
  }
}
