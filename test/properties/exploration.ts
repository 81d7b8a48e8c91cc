import { randomInt } from 'node:crypto';
import fc, { type IAsyncProperty, type Parameters } from 'fast-check';

/** The seed of a run for which no seed was given. */
const OWN_SEED = randomInt(2 ** 31);

/** The settings for the explorations of a run, from the options of `npm run test:properties`. */
interface Settings {
  /** The number of runs of each property, instead of its own number. */
  readonly runs: number | undefined;
  readonly seed: number;
  /** The path to the failing run among the runs of the seed; the message of a failure contains it. */
  readonly path: string | undefined;
  /** Which commands of the failing run were carried out; the message of a failure contains it, too. */
  readonly replayPath: string | undefined;
  /** Whether explorations that found nothing are printed, too. */
  readonly isTalkative: boolean;
}

export interface Explored {
  readonly runs: number;
  readonly seed: number;
}

/** A property does not hold. The error contains a script that repeats the steps, if there is one. */
export class PropertyError extends Error {
  constructor(
    message: string,
    readonly script?: string,
  ) {
    super(message);
  }
}

/**
 * Tries a property with generated values, and shrinks the values that break it.
 *
 * @param name the name of the exploration, for the output
 * @param runs the number of runs, unless the command sets another number
 * @throws Error with the smallest values that break the property, the seed, the command that repeats the run, and the script
 */
export async function explore<Values>(
  name: string,
  runs: number,
  property: IAsyncProperty<Values>,
  parameters: Parameters<Values> = {},
): Promise<Explored> {
  const settings = readSettings(process.env);
  const details = await fc.check(property, {
    numRuns: settings.runs ?? runs,
    seed: settings.seed,
    ...(settings.path !== undefined && { path: settings.path, endOnFailure: true }),
    ...parameters,
  });
  const { numRuns, seed, counterexample, counterexamplePath, errorInstance, numShrinks } = details;
  if (details.failed) {
    const values = fc.stringify(counterexample);
    const title = expect.getState().currentTestName ?? name;
    const { message, script } = causeOf(errorInstance);
    throw new Error(
      [
        `${name}: found after ${numRuns} runs and ${numShrinks} steps of shrinking: ${message}`,
        `Values: ${values}`,
        `Repeat it: npm run test:properties -- ${repetition(seed, counterexamplePath, values)} --title ${JSON.stringify(title)}`,
        ...(script === undefined ? [] : ['Or by this script:', script]),
      ].join('\n\n'),
      { cause: errorInstance },
    );
  }
  if (settings.isTalkative) process.stdout.write(`${name}: ${numRuns} runs, seed ${seed}\n`);
  return { runs: numRuns, seed };
}

/** The part of fast-check's commands that shows which of them ran: a path alone does not reproduce them. */
export function replayPathOf(): string | undefined {
  return readSettings(process.env).replayPath;
}

function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const numberOf = (name: string) => (environment[name] === undefined ? undefined : Number(environment[name]));
  return {
    runs: numberOf('PROPERTY_RUNS'),
    seed: numberOf('PROPERTY_SEED') ?? OWN_SEED,
    path: environment['PROPERTY_PATH'],
    replayPath: environment['PROPERTY_REPLAY_PATH'],
    isTalkative: environment['PROPERTY_TALKATIVE'] !== undefined,
  };
}

function causeOf(error: unknown): { readonly message: string; readonly script?: string | undefined } {
  if (error instanceof PropertyError) return error;
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function repetition(seed: number, path: string | null, values: string): string {
  const replayPath = /replayPath="(?<replayPath>[^"]*)"/.exec(values)?.groups?.['replayPath'];
  return `--seed ${seed} --path ${path ?? '0'}${replayPath === undefined ? '' : ` --replay-path ${replayPath}`}`;
}
