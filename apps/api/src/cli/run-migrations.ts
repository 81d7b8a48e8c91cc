import { Command } from 'commander';
import { migrateServer } from '@animal-store/persistence';
import { InvalidEnvironmentError } from '@animal-store/settings';
import { unknownSettings } from '../settings/environment.js';
import { programEnvironment, runProgram } from './program.js';

/**
 * The program that migrates the database of a server.
 *
 * @param command the command line of the program, for its help
 * @param folders with migrations besides those of the libraries, as absolute paths
 */
export async function runMigrations(command: string, folders: readonly string[] = []): Promise<void> {
  const program = new Command(command)
    .usage(' ')
    .description(
      'Applies all pending migrations to the PostgreSQL database at DATABASE_URL. It can be repeated safely, and run on ' +
        'several machines at once: one of them migrates, and the others wait for up to ten minutes. The embedded ' +
        'database needs no command: the service migrates it at its start.',
    )
    .action(() => migrate(folders));
  await runProgram(program, 'The database was not migrated.');
}

async function migrate(folders: readonly string[]): Promise<void> {
  const { DATABASE_URL: url } = programEnvironment();
  if (url === undefined)
    throw new InvalidEnvironmentError(
      ['DATABASE_URL must be set: only the database of a server needs this command'],
      unknownSettings(process.env),
    );
  const applied = await migrateServer(url, folders);
  console.log(applied.length === 0 ? 'Nothing to do: the database is up to date.' : `Done: ${applied.join(', ')}`);
}
