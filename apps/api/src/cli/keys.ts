import { CommanderError } from 'commander';
import { hideApiKeys } from '@animal-store/auth';
import { isDatabaseUnavailable } from '@animal-store/persistence';
import { loadEnvironmentFile } from '../environment-file.js';
import { InvalidEnvironmentError, readEnvironment, type Environment, unknownSettings } from '../environment.js';
import { administerApiKeys } from '../keys/key-administration.module.js';
import { keysProgram } from '../keys/keys-program.js';
import { EXIT } from './exit-codes.js';

/** The keys of one environment should not pass for those of another: see API_KEY_PREFIX in .env.example. */
const PREFIXES: Readonly<Record<string, string>> = { production: 'aslive', test: 'astest' };

try {
  loadEnvironmentFile();
  const program = keysProgram({
    prefix: () => prefixOf(readEnvironment(process.env)),
    administer: (work) => {
      const environment = readEnvironment(process.env);
      for (const sentence of unknownSettings(process.env)) console.error(`keys: ${sentence}`);
      if (environment.DATABASE_URL === undefined) console.error(`On the embedded database in ${environment.DATA_DIR}`);
      return administerApiKeys(environment, work);
    },
    print: (text) => process.stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    complain: (text) => process.stderr.write(text),
  });
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
  // Commander has told its own.
  if (!(error instanceof CommanderError)) console.error(hideApiKeys(`keys: ${sentenceOf(error)}`));
}

function prefixOf({ API_KEY_PREFIX, NODE_ENV }: Environment): string {
  return API_KEY_PREFIX ?? PREFIXES[NODE_ENV] ?? 'asdev';
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof InvalidEnvironmentError) return EXIT.configuration;
  return isUnavailable(error) ? EXIT.unavailable : EXIT.failed;
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isDatabaseUnavailable(error) ? `the database is not available: ${reasonOf(error)}` : error.message;
}

/** What is at the bottom of it; an error for several addresses of one host has no words of its own. */
function reasonOf(error: Error): string {
  if (error.cause instanceof Error) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return reasonOf(error.errors[0]);
  return error.message;
}

function isUnavailable(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error instanceof Error && 'kind' in error && error.kind === 'unavailable');
}
