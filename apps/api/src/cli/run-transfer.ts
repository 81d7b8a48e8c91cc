import { CommanderError, type Command } from 'commander';
import { loadEnvironmentFile } from '../environment-file.js';
import { readEnvironment, unknownSettings } from '../environment.js';
import type { TransferHost } from '../transfer/transfer-program.js';
import { exitCodeOf, sentenceOf } from './failures.js';

/** Runs a command that moves data, writes all messages to standard error, and sets the exit code of the process. */
export async function runTransfer(programOf: (host: TransferHost) => Command): Promise<void> {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // A second signal ends the process immediately.
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
    // Commander has already written its own message.
    if (!(error instanceof CommanderError)) tell(`${program.name()}: ${sentenceOf(error)}`);
  }
}

/** The command was interrupted. It leaves no partial result. */
class EndedError extends Error {
  readonly kind = 'conflict';

  constructor(signal: NodeJS.Signals) {
    super(`It was ended by ${signal}, and nothing is kept of it.`);
  }
}
