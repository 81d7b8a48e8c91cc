import { migrateServer } from '@animal-store/persistence';
import { loadEnvironmentFile } from '../environment-file.js';
import { readEnvironment, unknownSettings } from '../environment.js';
import { InvalidEnvironmentError } from '../invalid-environment.error.js';
import { runCommand } from './run-command.js';

/**
 * The program that migrates the database of a server.
 *
 * @param command the command line of the program, for its help
 * @param folders with migrations besides those of the libraries, as absolute paths
 */
export async function runMigrations(command: string, folders: readonly string[] = []): Promise<void> {
  const help = `Usage: ${command}

Brings the PostgreSQL database at DATABASE_URL to the schema of this version. Safe to run again, and from several
machines at once: one works, the others wait for it, for ten minutes at most. The embedded database needs no migration: it migrates itself at its start.`;
  await runCommand({ help, failed: 'The database was not migrated.', run: () => migrate(folders) });
}

async function migrate(folders: readonly string[]): Promise<void> {
  loadEnvironmentFile();
  const hints = unknownSettings(process.env);
  const { DATABASE_URL: url } = readEnvironment(process.env);
  if (url === undefined)
    throw new InvalidEnvironmentError(['DATABASE_URL must be set: there is no server to migrate'], hints);
  for (const hint of hints) console.error(hint);
  const done = await migrateServer(url, folders, (sentence) => {
    console.error(sentence);
  });
  console.log(done.length === 0 ? 'Nothing to do: the database is up to date.' : `Done: ${done.join(', ')}`);
}
