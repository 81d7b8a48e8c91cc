import { CommanderError } from 'commander';
import { hideApiKeys } from '@animal-store/auth';
import { loadEnvironmentFile } from '../environment-file.js';
import { readEnvironment, unknownSettings, type Environment } from '../environment.js';
import { administerApiKeys } from '../keys/administer-api-keys.js';
import { keysProgram } from '../keys/keys-program.js';
import { exitCodeOf, sentenceOf } from './failures.js';

/** What the keys of an environment begin with, unless API_KEY_PREFIX says so: they should not work in another one. */
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
    writeErr: (text) => process.stderr.write(text),
  });
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
  // Commander has already written its own message.
  if (!(error instanceof CommanderError)) console.error(hideApiKeys(`keys: ${sentenceOf(error)}`));
}

function prefixOf({ API_KEY_PREFIX, NODE_ENV }: Environment): string {
  return API_KEY_PREFIX ?? PREFIXES[NODE_ENV] ?? 'asdev';
}
