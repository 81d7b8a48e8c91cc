import { CommanderError, type Command } from 'commander';
import { hideApiKeys } from '@animal-store/auth';
import {
  BrokenDataError,
  DataFolderError,
  isDatabaseUnavailable,
  PendingMigrationsError,
  rootCauseMessage,
  TableInUseError,
  WrongEncodingError,
} from '@animal-store/persistence';
import { InvalidEnvironmentError } from '@animal-store/settings';
import { doubtfulSettings, loadEnvironmentFile, readEnvironment, type Environment } from '../settings/environment.js';
import { ListenError } from '@animal-store/http';

/** The exit codes of the server and the commands. Codes above 1 are those of sysexits.h. */
const EXIT = {
  done: 0,
  /** The command was understood, but it was refused or failed. */
  failed: 1,
  /** The arguments of the command are wrong. */
  usage: 64,
  /** The database is not available, or its folder or a port is in use: the same command may succeed later. */
  unavailable: 69,
  /** The environment is wrong: another start does not help. */
  configuration: 78,
} as const;

/**
 * Runs a program with the arguments of the process, and sets the exit code. A failure is printed in one sentence.
 *
 * @param failed the beginning of the message for a failure, before the reason
 */
export async function runProgram(program: Command, failed: string): Promise<void> {
  try {
    await program.exitOverride().parseAsync();
  } catch (error) {
    process.exitCode = exitCodeOf(error);
    // Commander has already written its own message.
    if (!(error instanceof CommanderError)) console.error(hideApiKeys(`${failed} ${sentenceOf(error)}`));
  }
}

/** The settings of a program, with a warning for each that may not do what was meant. @throws InvalidEnvironmentError */
export function programEnvironment(): Environment {
  loadEnvironmentFile();
  const environment = readEnvironment(process.env);
  for (const sentence of doubtfulSettings(environment)) console.error(sentence);
  return environment;
}

/** Errors whose message alone says what to do. */
const SELF_EXPLANATORY = [
  InvalidEnvironmentError,
  DataFolderError,
  BrokenDataError,
  ListenError,
  PendingMigrationsError,
  TableInUseError,
  WrongEncodingError,
];

/** The exit code of the server or a command that failed with this error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (isWrongSetting(error)) return EXIT.configuration;
  return isUnavailable(error) ? EXIT.unavailable : EXIT.failed;
}

/** The failure in one sentence, with the place in the code if an operator cannot correct it. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (isAway(error)) return `The database is not available: ${rootCauseMessage(error)}`;
  return saysWhatToDo(error) ? error.message : (error.stack ?? error.message);
}

function saysWhatToDo(error: Error): boolean {
  // An error of this service, of the operating system, or of PostgreSQL.
  return isSelfExplanatory(error) || 'kind' in error || 'errno' in error || /^[0-9A-Z]{5}$/.test(codeOf(error));
}

function isWrongSetting(error: unknown): boolean {
  if (error instanceof ListenError) return !error.mayPass;
  return error instanceof InvalidEnvironmentError || error instanceof DataFolderError;
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof ListenError) return error.mayPass;
  return isAway(error) || (error instanceof Error && 'kind' in error && error.kind === 'unavailable');
}

/**
 * Whether the database is unavailable. For a request, a missing table or TLS file counts as unavailable, because it may
 * exist a moment later. A command would miss it again.
 */
function isAway(error: unknown): boolean {
  return (
    !isSelfExplanatory(error) && isDatabaseUnavailable(error) && !isMissingFile(error) && codeOf(error) !== '42P01'
  );
}

function isSelfExplanatory(error: unknown): boolean {
  return SELF_EXPLANATORY.some((type) => error instanceof type);
}

function isMissingFile(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' && (error as NodeJS.ErrnoException).syscall !== 'connect';
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code);
}
