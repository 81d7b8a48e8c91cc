import type { Command } from 'commander';
import { rootCauseMessage } from '@animal-store/kernel';
import { processEnvironment, settingWarnings, type Environment } from '../settings.js';

/** Ends with 0, or with 1 after a message on standard error. Commander itself exits for wrong arguments and `--help`. */
export async function runProgram(program: Command): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    console.error(`${program.name()}: ${reasonOf(error)}`);
    process.exitCode = 1;
  }
}

/** The settings of a program, with a warning for each that may not do what was meant. @throws InvalidEnvironmentError */
export function programEnvironment(): Environment {
  const environment = processEnvironment();
  for (const warning of settingWarnings(environment)) console.error(warning);
  return environment;
}

/** Why a program failed: what an operator can do something about, in a line; a defect of the code with its place. */
export function reasonOf(error: unknown): string {
  const isDefect = [TypeError, RangeError, ReferenceError].some((type) => error instanceof type && !('code' in error));
  if (isDefect) return (error as Error).stack ?? String(error);
  const cause = rootCauseMessage(error);
  // The errors of this service say more than their cause. Those of the ORM begin with the statement and its values.
  if (!(error instanceof Error && 'kind' in error)) return cause;
  return error.message.includes(cause) ? error.message : `${error.message} (${cause})`;
}
