import { migrateServer } from '@animal-store/persistence';
import { InvalidEnvironmentError, loadEnvironmentFile, readEnvironment } from '../environment.js';
import { EXIT } from './exit-codes.js';

const USAGE = `Usage: npm run db:migrate

Brings the PostgreSQL database at DATABASE_URL to the schema of this version. Safe to run again, and from several
machines at once: one works, the others wait. The embedded database needs no migration: it migrates itself at its start.`;

try {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    console.log(USAGE);
  } else {
    loadEnvironmentFile();
    await run();
  }
} catch (error) {
  console.error(`The database was not migrated. ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof InvalidEnvironmentError ? EXIT.configuration : EXIT.failed;
}

async function run(): Promise<void> {
  const { DATABASE_URL: url } = readEnvironment(process.env);
  if (url === undefined) throw new InvalidEnvironmentError(['DATABASE_URL must be set: there is no server to migrate']);
  const done = await migrateServer(url);
  console.log(done.length === 0 ? 'Nothing to do: the database is up to date.' : `Done: ${done.join(', ')}`);
}
