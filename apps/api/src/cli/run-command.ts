import { EXIT, EXIT_CODES } from './exit-codes.js';
import { exitCodeOf, sentenceOf } from './failures.js';

/** A command without arguments. */
export interface Command {
  /** Its usage and description, for `--help`. */
  readonly help: string;
  /** The beginning of the message for a failure, before the reason. */
  readonly failed: string;
  readonly run: () => Promise<void>;
}

/** Runs the command or prints its help, and sets the exit code of the process. */
export async function runCommand({ help, failed, run }: Command): Promise<void> {
  const parameters = process.argv.slice(2);
  if (parameters.some((parameter) => parameter === '--help' || parameter === '-h')) {
    console.log(`${help}\n\n${EXIT_CODES}`);
  } else if (parameters.length > 0) {
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
