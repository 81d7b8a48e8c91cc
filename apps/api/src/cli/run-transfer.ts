import { CommanderError, type Command } from 'commander';
import { loadEnvironmentFile } from '../environment-file.js';
import { readEnvironment, unknownSettings } from '../environment.js';
import type { TransferHost } from '../transfer/transfer-program.js';
import { exitCodeOf, sentenceOf } from './failures.js';

/** Runs a command that moves data, tells all on standard error, and sets the exit code of the process. */
export async function runTransfer(programOf: (host: TransferHost) => Command): Promise<void> {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A second one ends the process at once.
    process.once(signal, () => {
      ended.abort(new EndedError(signal));
    });
  }
  const tell = (sentence: string) => {
    console.error(sentence);
  };
  const environment = () => {
    loadEnvironmentFile();
    const read = readEnvironment(process.env);
    for (const sentence of unknownSettings(process.env)) tell(sentence);
    return read;
  };
  const program = programOf({ environment, tell, signal: ended.signal });
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = exitCodeOf(error);
    // Commander has told its own.
    if (!(error instanceof CommanderError)) tell(`${program.name()}: ${sentenceOf(error)}`);
  }
}

/** Somebody ended the command; what it did not finish is not there. */
class EndedError extends Error {
  readonly kind = 'conflict';

  constructor(signal: NodeJS.Signals) {
    super(`It was ended by ${signal}, and nothing is kept of it.`);
  }
}
