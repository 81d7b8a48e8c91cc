import { Command } from 'commander';
import type { Environment } from '../environment.js';
import { EXIT_CODES } from '../cli/exit-codes.js';

/** The dependencies of these commands. */
export interface TransferHost {
  /** Called when the arguments are valid. */
  readonly environment: () => Environment;
  readonly tell: (sentence: string) => void;
  /** Aborts when the user interrupts the command. */
  readonly signal: AbortSignal;
}

/** A command with its help. Invalid arguments are reported, and thrown as a CommanderError. */
export function transferProgram(name: string, description: string, examples: readonly string[]): Command {
  const lines = examples.map((line) => `  npm run ${name} -- ${line}`);
  return new Command(name)
    .description(description)
    .exitOverride()
    .showHelpAfterError(`npm run ${name} -- --help says more.`)
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}\n\n${EXIT_CODES}`);
}
