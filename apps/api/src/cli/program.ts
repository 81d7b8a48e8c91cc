import { CommanderError, type Command } from 'commander';
import { hideApiKeys } from '@animal-store/auth';
import { DataFolderError, rootCauseMessage } from '@animal-store/persistence';
import { doubtfulSettings, loadEnvironmentFile, readEnvironment, type Environment } from '../settings/environment.js';

/**
 * Runs a program with the arguments of the process. The exit code is 0, or 1 after a message on standard error.
 *
 * @param failed the beginning of the message for a failure, before the reason
 */
export async function runProgram(program: Command, failed: string): Promise<void> {
  try {
    await program.exitOverride().parseAsync();
  } catch (error) {
    // Commander has already written its own message. Its code is 0 when it was asked for help.
    if (!(error instanceof CommanderError)) tellFailure(failed, error);
    else if (error.exitCode === 0) return;
    process.exitCode = 1;
  }
}

/** The settings of a program, with a warning for each that may not do what was meant. @throws InvalidEnvironmentError */
export function programEnvironment(): Environment {
  loadEnvironmentFile();
  const environment = readEnvironment(process.env);
  for (const sentence of doubtfulSettings(environment)) console.error(sentence);
  return environment;
}

/** Prints why a program failed. */
export function tellFailure(failed: string, error: unknown): void {
  console.error(hideApiKeys(`${failed} ${reasonOf(error)}`));
}

/** What an operator can do something about, in a line; a defect of the code with its place. */
export function reasonOf(error: unknown): string {
  if (isDefect(error)) return error.stack ?? error.message;
  const cause = rootCauseMessage(error);
  if (!isOfService(error)) return cause;
  return error.message.includes(cause) ? error.message : `${error.message} (${cause})`;
}

/** Errors of the language, and not those that Node makes with a code, such as ERR_INVALID_ARG_VALUE. */
function isDefect(error: unknown): error is Error {
  const isOfLanguage = [TypeError, RangeError, ReferenceError, SyntaxError].some((type) => error instanceof type);
  return isOfLanguage && !('code' in (error as Error));
}

/** Whether the message says more than that of the cause. Errors of the ORM have the statement in front of it, with its values. */
function isOfService(error: unknown): error is Error {
  return error instanceof DataFolderError || (error instanceof Error && 'kind' in error);
}
