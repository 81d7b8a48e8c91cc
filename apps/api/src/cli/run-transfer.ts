import { CommanderError, type Command } from 'commander';
import { loadEnvironmentFile } from '../environment-file.js';
import { readEnvironment, unknownSettings } from '../environment.js';
import type { TransferHost } from '../transfer/transfer-program.js';
import { exitCodeOf, sentenceOf } from './failures.js';
import { interruption } from './interruption.js';

/** Runs a command that moves data, writes all messages to standard error, and sets the exit code of the process. */
export async function runTransfer(programOf: (host: TransferHost) => Command): Promise<void> {
  const tell = (sentence: string) => {
    console.error(sentence);
  };
  const environment = () => {
    loadEnvironmentFile();
    const read = readEnvironment(process.env);
    for (const sentence of unknownSettings(process.env)) tell(sentence);
    return read;
  };
  const program = programOf({ environment, tell, signal: interruption() });
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = exitCodeOf(error);
    // Commander has already written its own message.
    if (!(error instanceof CommanderError)) tell(`${program.name()}: ${sentenceOf(error)}`);
  }
}
