import { Command } from 'commander';
import { InvalidEnvironmentError } from '@animal-store/http';
import { migrateServer } from '@animal-store/persistence';
import { programEnvironment, runProgram } from './program.js';

/** @param folders with migrations besides those of the libraries, as absolute paths */
export async function runMigrations(folders: readonly string[] = []): Promise<void> {
  const program = new Command('db:migrate')
    .description(
      'Applies all pending migrations to the PostgreSQL database at DATABASE_URL. It can be repeated safely, and run on ' +
        'several machines at once. The embedded database needs no command: the service migrates it at its start.',
    )
    .action(async () => {
      const { DATABASE_URL: url } = programEnvironment();
      if (url === undefined) throw new InvalidEnvironmentError(['DATABASE_URL must be set']);
      const applied = await migrateServer(url, folders);
      console.log(applied.length === 0 ? 'Nothing to do: the database is up to date.' : `Done: ${applied.join(', ')}`);
    });
  await runProgram(program);
}

if (import.meta.main) await runMigrations();
