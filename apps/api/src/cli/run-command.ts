import { EXIT, EXIT_CODES } from './exit-codes.js';
import { exitCodeOf, sentenceOf } from './failures.js';

/** A command without words of its own. */
export interface Command {
  /** How it is run and what it does, for `--help`. */
  readonly help: string;
  /** What is said before the reason when it failed. */
  readonly failed: string;
  readonly run: () => Promise<void>;
}

/** Runs it, or explains it, and sets the exit code of the process. */
export async function runCommand({ help, failed, run }: Command): Promise<void> {
  const words = process.argv.slice(2);
  if (words.some((word) => word === '--help' || word === '-h')) {
    console.log(`${help}\n\n${EXIT_CODES}`);
  } else if (words.length > 0) {
    console.error(`No words are expected behind it; --help says more.`);
    process.exitCode = EXIT.usage;
  } else {
    try {
      await run();
    } catch (error) {
      console.error(`${failed} ${sentenceOf(error)}`);
      process.exitCode = exitCodeOf(error);
    }
  }
}
