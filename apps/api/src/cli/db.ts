import { CommanderError } from 'commander';
import { loadEnvironmentFile } from '../environment-file.js';
import { readEnvironment, unknownSettings } from '../environment.js';
import { databaseProgram } from './db-program.js';
import { exitCodeOf, sentenceOf } from './failures.js';

const tell = (sentence: string) => {
  console.error(sentence);
};

try {
  const program = databaseProgram({
    environment: () => {
      loadEnvironmentFile();
      const environment = readEnvironment(process.env);
      for (const sentence of unknownSettings(process.env)) tell(sentence);
      return environment;
    },
    tell,
  });
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
  // Commander has already written its own message.
  if (!(error instanceof CommanderError)) tell(`db: ${sentenceOf(error)}`);
}
